import type { ChannelMapping } from '@atrium/sdk';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { toast } from '../../ui/toast.tsx';
import { MappingFields } from './mapping-fields.tsx';
import { useUpdateMapping } from './queries.ts';

interface EditMappingDialogProps {
  mapping: ChannelMapping;
  onClose: () => void;
}

export function EditMappingDialog({ mapping, onClose }: EditMappingDialogProps) {
  const { direction, answers, sharesOrgMemory } = mapping;
  const [value, setValue] = useState({ direction, answers, sharesOrgMemory });
  const update = useUpdateMapping(mapping);
  return (
    <Dialog title={`Edit #${mapping.channelName}`} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          update.mutate(value, {
            onSuccess: () => {
              toast('Channel updated');
              onClose();
            },
          });
        }}
      >
        <MappingFields value={value} onChange={setValue} />
        {update.error && <ErrorNote error={update.error} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={update.isPending}>
            Save channel
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
