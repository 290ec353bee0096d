import type { Task } from '@atrium/sdk';
import { Pencil } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { TextAreaField } from '../../../ui/forms/field.tsx';
import { fieldErrors, Form } from '../../../ui/forms/form.tsx';
import { useSaveTask } from '../changes/mutations.ts';
import { newestIn } from '../changes/save-task.ts';

interface EditInPlaceProps {
  task: Task;
  field: 'title' | 'description';
  canWrite: boolean;
  /** Shows the text while nobody edits it. */
  children: ReactNode;
}

/** Text that turns into a field. If someone else changed it meanwhile, it shows theirs and asks. */
export function EditInPlace({ task, field, canWrite, children }: EditInPlaceProps) {
  const [base, setBase] = useState<Task>();
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = base !== undefined;
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    // The field had focus, and it is gone.
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  if (base) {
    return <Editor {...{ base, field }} onStale={setBase} onClose={() => setBase(undefined)} />;
  }
  return (
    <div className="flex min-w-0 items-start gap-1">
      <div className="min-w-0 flex-1">{children}</div>
      {canWrite && (
        <IconButton
          ref={button}
          label={`Edit ${field}`}
          icon={Pencil}
          onClick={() => setBase(task)}
        />
      )}
    </div>
  );
}

interface EditorProps {
  /** As it was when editing began, or the newest after someone else's change. */
  base: Task;
  field: 'title' | 'description';
  onStale: (newest: Task) => void;
  onClose: () => void;
}

function Editor({ base, field, onStale, onClose }: EditorProps) {
  const [text, setText] = useState(base[field] ?? '');
  const [error, setError] = useState<unknown>();
  const [isStale, setStale] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const save = useSaveTask();
  const isTitle = field === 'title';
  async function submit() {
    if (isBusy) return;
    if (text === (base[field] ?? '')) return onClose();
    setBusy(true);
    setError(undefined);
    try {
      await save(base, isTitle ? { title: text } : { description: text || null });
      onClose();
    } catch (failure) {
      const newest = newestIn(failure);
      if (newest) {
        onStale(newest);
        setStale(true);
      } else setError(failure);
      setBusy(false);
    }
  }
  const problem = fieldErrors(error)[field];
  return (
    <Form className="flex flex-col gap-2" onSubmit={() => void submit()}>
      <TextAreaField
        autoFocus
        label={isTitle ? 'Title' : 'Description'}
        {...(!isTitle && { hint: 'Markdown works here. Ctrl+Enter saves.' })}
        error={problem}
        rows={isTitle ? 2 : 8}
        dir="auto"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          const isSave = event.key === 'Enter' && (isTitle || event.ctrlKey || event.metaKey);
          if (isSave) {
            event.preventDefault();
            void submit();
          } else if (event.key === 'Escape') {
            event.preventDefault();
            onClose();
          }
        }}
      />
      {isStale && <StaleNote field={field} newest={base[field] ?? ''} />}
      {error !== undefined && !problem && <ErrorNote error={error} />}
      <div className="flex gap-2">
        <Button type="submit" look="primary" size="small" isBusy={isBusy}>
          {isStale ? 'Replace with my text' : 'Save'}
        </Button>
        <Button size="small" onClick={onClose}>
          {isStale ? 'Keep the newest' : 'Cancel'}
        </Button>
      </div>
    </Form>
  );
}

function StaleNote({ field, newest }: { field: string; newest: string }) {
  return (
    <div role="alert" className="flex flex-col gap-1 rounded-md bg-warn-soft p-3 text-sm">
      <p className="font-medium text-warn">
        Someone else changed the {field} while you were editing. The newest is:
      </p>
      <p dir="auto" className="max-h-40 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
        {newest || '(empty)'}
      </p>
    </div>
  );
}
