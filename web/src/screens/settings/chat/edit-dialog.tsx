import type { ChannelConnection, UpdateChannelConnection } from '@atrium/sdk';
import { useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useChange } from '../../../data/use-change.ts';
import { Choice } from '../../../ui/controls/choice.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { fieldErrors, FormDialog } from '../../../ui/forms/form.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { NO_TOKENS, TokenField, TrustField } from './connection-fields.tsx';
import { tokenChanges } from './token-changes.ts';
import { MODES } from './connection-words.ts';

interface EditConnectionDialogProps {
  connection: ChannelConnection;
  onClose: () => void;
}

/** Changes the name and the tokens. New tokens also repair a connection that stopped working. */
export function EditConnectionDialog({ connection, onClose }: EditConnectionDialogProps) {
  const { provider } = connection;
  const [displayName, setDisplayName] = useState(connection.displayName);
  const [trustsEmails, setTrustsEmails] = useState(connection.trustsEmails);
  const [mode, setMode] = useState(connection.mode);
  const [tokens, setTokens] = useState(NO_TOKENS);
  const saving = useChange({
    send: ({ client }, changes: UpdateChannelConnection) =>
      client.channels.updateConnection(connection.id, changes),
    refetch: keys.chatConnections,
    onDone: () => {
      toast('Connection updated');
      onClose();
    },
  });
  const problems = fieldErrors(saving.error);
  const fields = { provider, tokens, problems, onChange: setTokens };
  const changes = {
    displayName: displayName.trim(),
    trustsEmails,
    ...tokenChanges(connection, mode, tokens),
  };
  return (
    <FormDialog
      title={`Edit ${connection.displayName}`}
      description={`New tokens must belong to the same workspace, ${connection.workspaceName}.`}
      action="Save connection"
      saving={saving}
      problems={problems}
      noValidate
      autoComplete="off"
      onSubmit={() => saving.mutate(changes)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        error={problems['displayName']}
        dir="auto"
        maxLength={120}
        value={displayName}
        onChange={({ target }) => setDisplayName(target.value)}
      />
      {provider === 'SLACK' && (
        <Choice label="Events arrive by" options={MODES} value={mode} onChange={setMode} />
      )}
      <TokenField name="botToken" isStored {...fields} />
      {provider === 'SLACK' && (
        <TokenField
          name={mode === 'SOCKET' ? 'appToken' : 'signingSecret'}
          isStored={mode === connection.mode}
          {...fields}
        />
      )}
      <TrustField provider={provider} value={trustsEmails} onChange={setTrustsEmails} />
    </FormDialog>
  );
}
