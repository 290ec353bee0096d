import type { Memory } from '@atrium/sdk';
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { ErrorNote, fieldErrors } from '../../ui/error-note.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { AudienceFields } from './audience-fields.tsx';
import { checkDraft, CONTENT_LENGTH, countCharacters, type MemoryDraft } from './draft.ts';
import { useSaveMemory } from './mutations.ts';
import { TagsField } from './tags-field.tsx';

/** Fields, and groups of choices, which can't have that attribute. */
const INVALID = '[aria-invalid="true"], [data-invalid] input';

interface MemoryDialogProps {
  title: string;
  draft: MemoryDraft;
  /** The memory to edit. Without one, a new memory is created. */
  memory?: Memory;
  onClose: () => void;
  onSaved?: (memory: Memory) => void;
}

/** Adds or edits a memory. */
export function MemoryDialog({ title, draft: given, memory, onClose, onSaved }: MemoryDialogProps) {
  const [draft, setDraft] = useState(given);
  const [isChecked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const save = useSaveMemory(memory);
  const problems = { ...(isChecked && checkDraft(draft)), ...fieldErrors(save.error) };
  const change = (changes: Partial<MemoryDraft>) =>
    setDraft((before) => ({ ...before, ...changes }));

  function submit(event: FormEvent) {
    event.preventDefault();
    setChecked(true);
    const { visibility } = draft;
    if (visibility === null || Object.keys(checkDraft(draft)).length > 0) {
      // Once the errors are rendered, focus the first invalid field.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(INVALID)?.focus());
      return;
    }
    if (save.isPending) return;
    const whole = { ...draft, visibility };
    save.mutate(whole, {
      onSuccess(saved) {
        toast(memory ? 'Memory updated' : 'Memory added');
        onSaved?.(saved);
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
    <Dialog title={title} width="wide" onClose={onClose}>
      <form
        ref={form}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={submit}
        onKeyDown={saveByKey}
      >
        <TextAreaField
          label="What should be remembered?"
          hint={<Counter content={draft.content} />}
          error={problems['content']}
          rows={6}
          dir="auto"
          className="max-h-[40dvh] wrap-anywhere"
          value={draft.content}
          onChange={({ target }) => change({ content: target.value })}
        />
        <AudienceFields draft={draft} memory={memory} problems={problems} onChange={change} />
        <TagsField
          tags={draft.tags}
          error={problems['tags']}
          onChange={(tags) => change({ tags })}
        />
        <TextField
          label="Source (optional)"
          hint="A link to where this comes from. It must begin with http:// or https://"
          error={problems['sourceUrl']}
          type="url"
          inputMode="url"
          value={draft.sourceUrl}
          onChange={({ target }) => change({ sourceUrl: target.value })}
        />
        {save.error && <ErrorNote error={save.error} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={save.isPending}>
            {memory ? 'Save changes' : 'Save memory'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
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
