import type { OfferedModels as Offered } from '@atrium/sdk';
import { Plus, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { CheckboxField, TextField } from '../../../ui/forms/field.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { Spinner } from '../../../ui/states/spinner.tsx';
import { matching } from './chosen.ts';

/** More would only be scrolled past: typing finds them. */
const MOST_SHOWN = 100;

interface OfferedModelsProps {
  query: {
    data: Offered | undefined;
    error: unknown;
    isFetching: boolean;
    refetch: () => Promise<unknown>;
  };
  /** The names of those that are chosen. */
  chosen: readonly string[];
  onAdd: (model: string) => void;
  onRemove: (model: string) => void;
}

/** What the provider offers, found by typing. A name that is not in the list can be added too. */
export function OfferedModels({ query, chosen, onAdd, onRemove }: OfferedModelsProps) {
  const [text, setText] = useState('');
  const { data, error, isFetching, refetch } = query;
  const found = matching(data?.models ?? [], text);
  const typed = text.trim();
  const isNew =
    /^\S{1,200}$/.test(typed) &&
    !chosen.includes(typed) &&
    !data?.models.some(({ model }) => model === typed);
  const addTyped = () => {
    onAdd(typed);
    setText('');
  };
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label="Find a model"
        autoFocus
        type="search"
        spellCheck={false}
        autoCapitalize="none"
        placeholder="Search, or write a model’s name"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          // Enter chooses the model that was found, instead of saving.
          event.preventDefault();
          const [only] = found;
          if (found.length === 1 && only && !chosen.includes(only.model)) onAdd(only.model);
          else if (isNew) addTyped();
        }}
      />
      {error !== null && <ErrorNote error={error} />}
      {data?.error && (
        <div
          role="alert"
          className="flex flex-wrap items-center justify-between gap-2 rounded-md border border-danger bg-danger-soft p-3 text-sm"
        >
          <span className="min-w-0 flex-1 wrap-anywhere">{data.error.message}</span>
          <Button size="small" icon={RotateCw} isBusy={isFetching} onClick={() => void refetch()}>
            Ask again
          </Button>
        </div>
      )}
      {!data && error === null && (
        <p role="status" className="flex items-center gap-2 text-sm text-muted">
          <Spinner /> Asking the provider for its models…
        </p>
      )}
      {data && !data.error && (
        <fieldset className="flex max-h-56 flex-col gap-2 overflow-y-auto rounded-md border border-line p-3">
          <legend className="sr-only">Models that the provider offers</legend>
          {found.slice(0, MOST_SHOWN).map(({ model, displayName }) => (
            <CheckboxField
              key={model}
              label={model}
              {...(displayName !== null && { hint: displayName })}
              checked={chosen.includes(model)}
              onChange={({ target }) => (target.checked ? onAdd(model) : onRemove(model))}
            />
          ))}
          <p role="status" className="text-note text-muted">
            {summary(found.length, data.models.length)}
          </p>
        </fieldset>
      )}
      {isNew && (
        <Button size="small" icon={Plus} className="self-start" onClick={addTyped}>
          Add “{typed}”
        </Button>
      )}
    </div>
  );
}

function summary(found: number, total: number): string {
  if (total === 0) return 'The provider lists no models. Write the name of one above.';
  if (found === 0) return 'Nothing found.';
  const shown =
    found > MOST_SHOWN
      ? `The first ${MOST_SHOWN} of ${found.toLocaleString()}`
      : found.toLocaleString();
  return found === total && found <= MOST_SHOWN
    ? `${total.toLocaleString()} ${total === 1 ? 'model' : 'models'}`
    : `${shown} of ${total.toLocaleString()} models. Type to find more.`;
}
