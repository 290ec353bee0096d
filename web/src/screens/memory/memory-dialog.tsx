import type { Memory } from '@atrium/sdk';
import { useRef, useState, type KeyboardEvent } from 'react';
import { countCharacters } from '../../ui/text/count-characters.ts';
import { TextAreaField, TextField } from '../../ui/forms/field.tsx';
import { fieldErrors, FormDialog } from '../../ui/forms/form.tsx';
import { toast } from '../../ui/layers/toast.tsx';
import { AudienceFields } from './audience-fields.tsx';
import { checkValues, CONTENT_LENGTH, type MemoryValues } from './memory-values.ts';
import { useSaveMemory } from './use-save-memory.ts';
import { TagsField } from '../../ui/forms/tags-field.tsx';

/** Fields, and groups of choices, which can't have that attribute. */
const INVALID = '[aria-invalid="true"], [data-invalid] input';

interface MemoryDialogProps {
  title: string;
  values: MemoryValues;
  /** The memory to edit. Without one, a new memory is created. */
  memory?: Memory;
  onClose: () => void;
}

/** Adds or edits a memory. */
export function MemoryDialog({ title, values: given, memory, onClose }: MemoryDialogProps) {
  const [values, setValues] = useState(given);
  const [isChecked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const save = useSaveMemory(memory);
  const problems = { ...(isChecked && checkValues(values)), ...fieldErrors(save.error) };
  const change = (changes: Partial<MemoryValues>) =>
    setValues((before) => ({ ...before, ...changes }));

  function submit() {
    setChecked(true);
    const { visibility } = values;
    if (visibility === null || Object.keys(checkValues(values)).length > 0) {
      // Once the errors are rendered, focus the first invalid field.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(INVALID)?.focus());
      return;
    }
    if (save.isPending) return;
    const whole = { ...values, visibility };
    save.mutate(whole, {
      onSuccess() {
        toast(memory ? 'Memory updated' : 'Memory added');
        onClose();
      },
    });
  }

  function saveByKey(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    form.current?.requestSubmit();
  }

  return (
    <FormDialog
      title={title}
      width="wide"
      action={memory ? 'Save changes' : 'Save memory'}
      saving={save}
      ref={form}
      noValidate
      onSubmit={submit}
      onKeyDown={saveByKey}
      onClose={onClose}
    >
      <TextAreaField
        label="What should be remembered?"
        hint={<Counter content={values.content} />}
        error={problems['content']}
        rows={6}
        dir="auto"
        className="max-h-[40dvh] wrap-anywhere"
        value={values.content}
        onChange={({ target }) => change({ content: target.value })}
      />
      <AudienceFields values={values} memory={memory} problems={problems} onChange={change} />
      <TagsField
        tags={values.tags}
        error={problems['tags']}
        onChange={(tags) => change({ tags })}
      />
      <TextField
        label="Source (optional)"
        hint="A link to where this comes from. It must begin with http:// or https://"
        error={problems['sourceUrl']}
        type="url"
        inputMode="url"
        value={values.sourceUrl}
        onChange={({ target }) => change({ sourceUrl: target.value })}
      />
    </FormDialog>
  );
}

function Counter({ content }: { content: string }) {
  const length = countCharacters(content);
  const isOver = length > CONTENT_LENGTH;
  return (
    <span className={isOver ? 'text-danger' : undefined}>
      {length.toLocaleString()} of {CONTENT_LENGTH.toLocaleString()} characters
      {isOver && `: shorten it by ${(length - CONTENT_LENGTH).toLocaleString()}`}. Ctrl+Enter saves.
    </span>
  );
}
