import { useRef, useState, type ReactNode } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { TextAreaField } from '../../../ui/forms/field.tsx';
import { fieldErrors, Form } from '../../../ui/forms/form.tsx';
import { useCreateTasks, type NewTasks } from '../changes/mutations.ts';

/** How many one paste may make. */
const MOST_LINES = 100;

interface QuickEntryProps {
  label: string;
  /** Where the tasks go, and what they have in common. */
  fields: Omit<NewTasks, 'titles'> | undefined;
  /** Text to begin with. */
  initial?: string;
  onCreated: (created: number) => void;
  children?: ReactNode;
}

/** A field in which each line is the title of a new task. Enter creates, Shift+Enter begins a line. */
export function QuickEntry({ label, fields, initial = '', onCreated, children }: QuickEntryProps) {
  const [text, setText] = useState(initial);
  const area = useRef<HTMLTextAreaElement>(null);
  const titles = linesOf(text);
  const left = useRef<string[]>([]);
  const create = useCreateTasks(() => {
    left.current = left.current.slice(1);
    setText(left.current.join('\n'));
  });
  const isTooMany = titles.length > MOST_LINES;
  const canCreate = fields !== undefined && titles.length > 0 && !isTooMany && !create.isPending;
  function submit() {
    if (!canCreate) return;
    left.current = titles;
    create.mutate({ ...fields, titles }, { onSuccess: (created) => onCreated(created.length) });
    area.current?.focus();
  }
  const problem = isTooMany
    ? `That’s ${titles.length} lines. Create at most ${MOST_LINES} tasks at once.`
    : fieldErrors(create.error)['title'];
  return (
    <Form className="flex flex-col gap-3" onSubmit={submit}>
      <TextAreaField
        ref={area}
        autoFocus
        label={label}
        hint="Paste several lines to create several tasks."
        error={problem}
        rows={Math.min(Math.max(titles.length, 1), 8)}
        dir="auto"
        value={text}
        readOnly={create.isPending}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          submit();
        }}
      />
      {children}
      {create.error && !problem && <ErrorNote error={create.error} />}
      <Button
        type="submit"
        look="primary"
        className="self-end"
        isBusy={create.isPending}
        disabled={!canCreate}
      >
        {titles.length > 1 ? `Create ${titles.length} tasks` : 'Create task'}
      </Button>
    </Form>
  );
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
