import type { ChannelMapping } from '@atrium/sdk';
import { useState } from 'react';
import { FormDialog } from '../../ui/forms/form.tsx';
import { toast } from '../../ui/layers/toast.tsx';
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
  const onSuccess = () => {
    toast('Channel updated');
    onClose();
  };
  return (
    <FormDialog
      title={`Edit #${mapping.channelName}`}
      action="Save channel"
      saving={update}
      onSubmit={() => update.mutate(value, { onSuccess })}
      onClose={onClose}
    >
      <MappingFields value={value} onChange={setValue} />
    </FormDialog>
  );
}
