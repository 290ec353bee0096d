import type { ChannelConnection, CreateChannelConnection } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ErrorNote, fieldErrors } from '../../../ui/error-note.tsx';
import { TextField } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { PROVIDER_NAMES } from '../../channels/names.ts';
import { MattermostGuide } from './mattermost-guide.tsx';
import { SlackGuide } from './slack-guide.tsx';
import { NO_TOKENS, TokenField } from './token-field.tsx';
import { TrustField } from './trust-field.tsx';
import { MODES } from './words.ts';

const PROVIDERS = [
  ['SLACK', PROVIDER_NAMES.SLACK],
  ['MATTERMOST', PROVIDER_NAMES.MATTERMOST],
] as const;

interface AddConnectionDialogProps {
  onClose: () => void;
  onAdded: () => void;
}

export function AddConnectionDialog({ onClose, onAdded }: AddConnectionDialogProps) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const [provider, setProvider] = useState<ChannelConnection['provider']>('SLACK');
  const [mode, setMode] = useState<ChannelConnection['mode']>('SOCKET');
  const [displayName, setDisplayName] = useState('');
  const [serverUrl, setServerUrl] = useState('');
  const [tokens, setTokens] = useState(NO_TOKENS);
  const [trustsEmails, setTrustsEmails] = useState(false);
  const isSlack = provider === 'SLACK';
  const isSocket = mode === 'SOCKET';
  const adding = useMutation({
    mutationFn: (connection: CreateChannelConnection) => client.channels.connect(connection),
    onSuccess: async ({ workspaceName }) => {
      await queryClient.invalidateQueries({ queryKey: keys.chatConnections(org.id) });
      toast(`Connected to ${workspaceName}`);
      onClose();
      onAdded();
    },
  });
  const problems = fieldErrors(adding.error);
  const fields = { provider, tokens, problems, onChange: setTokens };
  function add(event: FormEvent) {
    event.preventDefault();
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
    <Dialog
      width="wide"
      title="Add chat connection"
      description="Atrium checks the tokens before it stores them."
      onClose={onClose}
    >
      <form noValidate autoComplete="off" className="flex flex-col gap-4" onSubmit={add}>
        <Choice
          label="Chat system"
          options={PROVIDERS}
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
        {adding.error && Object.keys(problems).length === 0 && <ErrorNote error={adding.error} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={adding.isPending}>
            Connect {PROVIDER_NAMES[provider]}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
