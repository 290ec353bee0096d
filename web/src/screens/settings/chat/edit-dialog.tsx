import type { ChannelConnection, UpdateChannelConnection } from '@atrium/sdk';
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
import { NO_TOKENS, TokenField } from './token-field.tsx';
import { tokenChanges } from './token-changes.ts';
import { TrustField } from './trust-field.tsx';
import { MODES } from './words.ts';

interface EditConnectionDialogProps {
  connection: ChannelConnection;
  onClose: () => void;
}

/** Changes the name and the tokens. New tokens also repair a connection that stopped working. */
export function EditConnectionDialog({ connection, onClose }: EditConnectionDialogProps) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const { provider } = connection;
  const [displayName, setDisplayName] = useState(connection.displayName);
  const [trustsEmails, setTrustsEmails] = useState(connection.trustsEmails);
  const [mode, setMode] = useState(connection.mode);
  const [tokens, setTokens] = useState(NO_TOKENS);
  const saving = useMutation({
    mutationFn: (changes: UpdateChannelConnection) =>
      client.channels.updateConnection(connection.id, changes),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keys.chatConnections(org.id) });
      toast('Connection updated');
      onClose();
    },
  });
  const problems = fieldErrors(saving.error);
  const fields = { provider, tokens, problems, onChange: setTokens };
  function save(event: FormEvent) {
    event.preventDefault();
    saving.mutate({
      displayName: displayName.trim(),
      trustsEmails,
      ...tokenChanges(connection, mode, tokens),
    });
  }
  return (
    <Dialog
      title={`Edit ${connection.displayName}`}
      description={`New tokens must belong to the same workspace, ${connection.workspaceName}.`}
      onClose={onClose}
    >
      <form noValidate autoComplete="off" className="flex flex-col gap-4" onSubmit={save}>
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
        {saving.error && Object.keys(problems).length === 0 && <ErrorNote error={saving.error} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={saving.isPending}>
            Save connection
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
