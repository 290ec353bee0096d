import type { OrgModelProvider } from '@atrium/sdk';
import { X } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useChange } from '../../../data/use-change.ts';
import { useFetched } from '../../../data/use-fetched.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { CheckboxField, TextField } from '../../../ui/forms/field.tsx';
import { FormDialog } from '../../../ui/forms/form.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { chosenOf, draftsOf, newDraft, problemsOf, type Draft } from './chosen.ts';
import { OfferedModels } from './offered-models.tsx';

interface ModelsDialogProps {
  provider: OrgModelProvider;
  onClose: () => void;
}

/** Chooses the models of a provider, their mentions and their prices. */
export function ModelsDialog({ provider, onClose }: ModelsDialogProps) {
  const { id, name } = provider;
  const [drafts, setDrafts] = useState(() => draftsOf(provider));
  const offered = useFetched(
    (orgId) => keys.offeredModels(orgId, id),
    ({ client }, options) => client.models.listOffered(id, options),
    { staleTime: 0 },
  );
  const saving = useChange({
    send: ({ client }) => client.models.updateProvider(id, { models: chosenOf(drafts) }),
    refetch: keys.models,
    onDone: () => {
      toast('Models saved');
      onClose();
    },
  });
  const problems = problemsOf(saving.error, drafts);
  const add = (model: string) => {
    const found = offered.data?.models.find((one) => one.model === model);
    setDrafts([...drafts, newDraft(model, drafts, found?.vision)]);
  };
  const remove = (model: string) => setDrafts(drafts.filter((draft) => draft.model !== model));
  const change = (changed: Draft) =>
    setDrafts(drafts.map((draft) => (draft.model === changed.model ? changed : draft)));
  return (
    <FormDialog
      title={`Models of ${name}`}
      description="Choose which ones people can mention, and what their replies cost."
      action="Save models"
      width="wide"
      saving={saving}
      problems={problems}
      noValidate
      autoComplete="off"
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <OfferedModels
        query={offered}
        chosen={drafts.map(({ model }) => model)}
        onAdd={add}
        onRemove={remove}
      />
      {drafts.length > 0 && (
        <section className="flex flex-col gap-3" aria-label="Chosen models">
          <p className="text-note text-muted">
            Prices are credits for a million tokens. One credit is US$0.01, so a price of US$3 is
            300. With 0, replies cost no credits, and you only pay the provider.
          </p>
          <ul className="flex flex-col gap-3">
            {drafts.map((draft) => (
              <ChosenModelRow
                key={draft.model}
                draft={draft}
                problem={problems[draft.slug]}
                onChange={change}
                onRemove={() => remove(draft.model)}
              />
            ))}
          </ul>
        </section>
      )}
    </FormDialog>
  );
}

interface ChosenModelRowProps {
  draft: Draft;
  problem: string | undefined;
  onChange: (draft: Draft) => void;
  onRemove: () => void;
}

function ChosenModelRow({ draft, problem, onChange, onRemove }: ChosenModelRowProps) {
  const { model, slug, input, output, vision } = draft;
  const priceField = (label: string, field: 'input' | 'output', value: string) => (
    <TextField
      label={label}
      aria-label={`${label}, ${model}`}
      type="number"
      inputMode="decimal"
      min={0}
      step="any"
      value={value}
      onChange={({ target }) => onChange({ ...draft, [field]: target.value })}
    />
  );
  return (
    <li className="flex flex-col gap-2 rounded-md border border-line p-3">
      <div className="flex items-center justify-between gap-2">
        <span className="min-w-0 font-mono text-note wrap-anywhere">{model}</span>
        <IconButton icon={X} label={`Remove ${model}`} onClick={onRemove} />
      </div>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-[1fr_8rem_8rem]">
        <TextField
          label="Mention"
          aria-label={`Mention, ${model}`}
          fieldClassName="col-span-2 sm:col-span-1"
          error={problem}
          maxLength={64}
          spellCheck={false}
          autoCapitalize="none"
          value={slug}
          onChange={({ target }) =>
            onChange({ ...draft, slug: target.value.toLowerCase().replace(/^@/, '') })
          }
        />
        {priceField('Credits in', 'input', input)}
        {priceField('Credits out', 'output', output)}
      </div>
      <CheckboxField
        label="Takes images"
        aria-label={`Takes images, ${model}`}
        checked={vision}
        onChange={({ target }) => onChange({ ...draft, vision: target.checked })}
      />
    </li>
  );
}
