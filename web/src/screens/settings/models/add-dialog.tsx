import type { OrgModelProvider } from '@atrium/sdk';
import { useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useChange } from '../../../data/use-change.ts';
import { RadioField } from '../../../ui/forms/field.tsx';
import { fieldErrors, FormDialog } from '../../../ui/forms/form.tsx';
import { KINDS, type ProviderKind } from './kinds.ts';
import { ProviderFields, type ProviderValues } from './provider-fields.tsx';

interface AddProviderDialogProps {
  onClose: () => void;
  onAdded: (provider: OrgModelProvider) => void;
}

export function AddProviderDialog({ onClose, onAdded }: AddProviderDialogProps) {
  const [kind, setKind] = useState<ProviderKind>('openai');
  const [values, setValues] = useState<ProviderValues>(() => valuesFor('openai'));
  const adding = useChange({
    // Takes no argument, because the cache keeps what is passed to a mutation, and this has a key.
    send: ({ client }) => {
      const [baseUrl, apiKey] = [values.baseUrl.trim(), values.apiKey.trim()];
      return client.models.createProvider({
        kind,
        name: values.name.trim(),
        ...(baseUrl !== '' && { baseUrl }),
        ...(apiKey !== '' && { apiKey }),
      });
    },
    refetch: keys.models,
    onDone: (provider) => {
      onClose();
      onAdded(provider);
    },
  });
  const problems = fieldErrors(adding.error);
  const choose = (next: ProviderKind) => {
    const isOwnName = values.name !== KINDS[kind].name;
    setKind(next);
    setValues({
      ...valuesFor(next),
      apiKey: values.apiKey,
      ...(isOwnName && { name: values.name }),
    });
    adding.reset();
  };
  return (
    <FormDialog
      title="Add provider"
      description="With your organisation’s own key. Next, you choose which of its models people can mention."
      action="Add provider"
      saving={adding}
      problems={problems}
      noValidate
      autoComplete="off"
      onSubmit={() => adding.mutate()}
      onClose={onClose}
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-sm font-medium">Provider</legend>
        {(Object.entries(KINDS) as [ProviderKind, (typeof KINDS)[ProviderKind]][]).map(
          ([option, { name, hint }]) => (
            <RadioField
              key={option}
              name="kind"
              label={name}
              hint={hint}
              checked={option === kind}
              onChange={() => choose(option)}
            />
          ),
        )}
      </fieldset>
      <ProviderFields
        kind={kind}
        values={values}
        problems={problems}
        onChange={(change) => setValues({ ...values, ...change })}
      />
    </FormDialog>
  );
}

function valuesFor(kind: ProviderKind): ProviderValues {
  const { name, address } = KINDS[kind];
  return { name, baseUrl: kind === 'ollama' ? address : '', apiKey: '' };
}
