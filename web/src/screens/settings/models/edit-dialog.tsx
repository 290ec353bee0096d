import type { OrgModelProvider } from '@atrium/sdk';
import { useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useChange } from '../../../data/use-change.ts';
import { fieldErrors, FormDialog } from '../../../ui/forms/form.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { ProviderFields } from './provider-fields.tsx';

interface EditProviderDialogProps {
  provider: OrgModelProvider;
  onClose: () => void;
}

/** Changes the name, the address and the key. */
export function EditProviderDialog({ provider, onClose }: EditProviderDialogProps) {
  const { id, kind, name, baseUrl, hasKey } = provider;
  const [values, setValues] = useState({ name, baseUrl, apiKey: '' });
  const saving = useChange({
    // Takes no argument, because the cache keeps what is passed to a mutation, and this has a key.
    send: ({ client }) =>
      client.models.updateProvider(id, {
        name: values.name.trim(),
        ...(values.baseUrl.trim() !== baseUrl && { baseUrl: values.baseUrl.trim() }),
        ...(values.apiKey.trim() !== '' && { apiKey: values.apiKey.trim() }),
      }),
    refetch: keys.models,
    onDone: () => {
      toast('Provider updated');
      onClose();
    },
  });
  const problems = fieldErrors(saving.error);
  return (
    <FormDialog
      title={`Edit ${name}`}
      description="An address on another host needs the key again."
      action="Save provider"
      saving={saving}
      problems={problems}
      noValidate
      autoComplete="off"
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <ProviderFields
        kind={kind}
        hasKey={hasKey}
        values={values}
        problems={problems}
        onChange={(change) => setValues({ ...values, ...change })}
      />
    </FormDialog>
  );
}
