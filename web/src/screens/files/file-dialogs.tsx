import type { File as StoredFile } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../data/query-keys.ts';
import { useChange } from '../../data/use-change.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { fieldErrors, FormDialog } from '../../ui/forms/form.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { toast } from '../../ui/layers/toast.tsx';

interface FileDialogProps {
  file: StoredFile;
  onClose: () => void;
}

export function RenameFile({ file, onClose }: FileDialogProps) {
  const [name, setName] = useState(file.name);
  const rename = useChange({
    send: async ({ client }) => client.files.update(file.id, { name: name.trim() }),
    refetch: keys.files,
    onDone: () => {
      toast('File renamed');
      onClose();
    },
  });
  const problems = fieldErrors(rename.error);
  return (
    <FormDialog
      title="Rename file"
      action="Save name"
      saving={rename}
      problems={problems}
      isDisabled={name.trim() === ''}
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        dir="auto"
        maxLength={255}
        value={name}
        error={problems['name']}
        onChange={({ target }) => setName(target.value)}
      />
    </FormDialog>
  );
}

export function DeleteFile({ file, onGone, onClose }: FileDialogProps & { onGone: () => void }) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      title={`Delete ${file.name}?`}
      description="It disappears from every message and task that has it. You can’t undo this."
      action="Delete file"
      onClose={onClose}
      onConfirm={async () => {
        await client.files.delete(file.id);
        await queryClient.invalidateQueries({ queryKey: keys.files(org.id) });
        toast('File deleted');
        onGone();
      }}
    />
  );
}
