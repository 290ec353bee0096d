import type { ChannelConnection, CreateChannelConnection } from '@atrium/sdk';
import { useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useChange } from '../../../data/use-change.ts';
import { Choice } from '../../../ui/controls/choice.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { fieldErrors, FormDialog } from '../../../ui/forms/form.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { PROVIDER_NAMES } from '../../../shared/channel-names.ts';
import { MattermostGuide, SlackGuide } from './guides.tsx';
import { NO_TOKENS, TokenField, TrustField } from './connection-fields.tsx';
import { MODES } from './connection-words.ts';

interface AddConnectionDialogProps {
  onClose: () => void;
  onAdded: () => void;
}

export function AddConnectionDialog({ onClose, onAdded }: AddConnectionDialogProps) {
  const [provider, setProvider] = useState<ChannelConnection['provider']>('SLACK');
  const [mode, setMode] = useState<ChannelConnection['mode']>('SOCKET');
  const [displayName, setDisplayName] = useState('');
  const [serverUrl, setServerUrl] = useState('');
  const [tokens, setTokens] = useState(NO_TOKENS);
  const [trustsEmails, setTrustsEmails] = useState(false);
  const isSlack = provider === 'SLACK';
  const isSocket = mode === 'SOCKET';
  const adding = useChange({
    send: ({ client }, connection: CreateChannelConnection) => client.channels.connect(connection),
    refetch: keys.chatConnections,
    onDone: ({ workspaceName }) => {
      toast(`Connected to ${workspaceName}`);
      onClose();
      onAdded();
    },
  });
  const problems = fieldErrors(adding.error);
  const fields = { provider, tokens, problems, onChange: setTokens };
  function add() {
    const { botToken, appToken, signingSecret } = tokens;
    const slack = isSocket ? { appToken } : { signingSecret };
    adding.mutate({
      provider,
      botToken,
      trustsEmails,
      ...(displayName.trim() && { displayName: displayName.trim() }),
      ...(isSlack ? slack : { serverUrl: serverUrl.trim() }),
    });
  }
  return (
    <FormDialog
      width="wide"
      title="Add chat connection"
      description="Atrium checks the tokens before it stores them."
      action={`Connect ${PROVIDER_NAMES[provider]}`}
      saving={adding}
      problems={problems}
      noValidate
      autoComplete="off"
      onSubmit={add}
      onClose={onClose}
    >
      <Choice
        label="Chat system"
        options={PROVIDER_NAMES}
        value={provider}
        onChange={(next) => {
          setProvider(next);
          setTokens(NO_TOKENS);
          adding.reset();
        }}
      />
      {isSlack && (
        <>
          <Choice label="Events arrive by" options={MODES} value={mode} onChange={setMode} />
          <p className="text-note text-muted">
            {isSocket
              ? 'Recommended. Atrium opens the connection, so Slack doesn’t need to reach this server.'
              : 'Slack calls this server, so its address must be public and use HTTPS.'}
          </p>
        </>
      )}
      {isSlack ? <SlackGuide isSocket={isSocket} /> : <MattermostGuide />}
      {!isSlack && (
        <TextField
          label="Server address"
          hint="It must use HTTPS. A private address works only if the operator has allowed it with CHAT_ALLOW_HOSTS."
          error={problems['serverUrl']}
          type="url"
          inputMode="url"
          spellCheck={false}
          placeholder="https://chat.example.com"
          value={serverUrl}
          onChange={({ target }) => setServerUrl(target.value)}
        />
      )}
      <TokenField name="botToken" {...fields} />
      {isSlack && <TokenField name={isSocket ? 'appToken' : 'signingSecret'} {...fields} />}
      <TextField
        label="Name (optional)"
        hint="Default: the name of the workspace."
        error={problems['displayName']}
        dir="auto"
        maxLength={120}
        value={displayName}
        onChange={({ target }) => setDisplayName(target.value)}
      />
      <TrustField provider={provider} value={trustsEmails} onChange={setTrustsEmails} />
    </FormDialog>
  );
}
