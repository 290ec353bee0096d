import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { fieldErrors } from '../../../ui/forms/form.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { useAutoHeight } from '../../session/composer/use-auto-height.ts';
import type { useTextEdit } from './use-text-edit.ts';

interface EditorProps {
  of: ReturnType<typeof useTextEdit>;
  field: 'title' | 'description';
  /** As the text looks while nobody edits it. */
  className: string;
  /** Whether a key saves. */
  isSaveKey: (event: KeyboardEvent) => boolean;
  onCancel: () => void;
  hint?: ReactNode;
}

/** The text as a field, in its place. */
export function Editor({ of, field, className, isSaveKey, onCancel, hint }: EditorProps) {
  const { edit, error, isSaving } = of;
  const area = useRef<HTMLTextAreaElement>(null);
  const text = edit?.text ?? '';
  useAutoHeight(area, text);
  useEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(area.current.value.length, area.current.value.length);
  }, []);
  const problem = fieldErrors(error)[field];
  return (
    <div className="flex flex-col gap-3" onBlur={of.onBlur}>
      <textarea
        ref={area}
        aria-label={field === 'title' ? 'Title' : 'Description'}
        aria-invalid={problem ? true : undefined}
        dir="auto"
        rows={1}
        readOnly={isSaving}
        className={cx(
          'block w-full resize-none overflow-hidden rounded-md bg-transparent outline-2 outline-offset-4 outline-line focus-visible:outline-accent',
          className,
        )}
        value={text}
        onChange={({ target }) =>
          of.setText(field === 'title' ? target.value.replaceAll(/\s*\n\s*/g, ' ') : target.value)
        }
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (isSaveKey(event)) of.submit();
          else if (event.key === 'Escape') onCancel();
          else return;
          event.preventDefault();
        }}
      />
      {problem && (
        <p role="alert" className="text-note text-danger">
          {problem}
        </p>
      )}
      {error && !problem && <ErrorNote error={error} />}
      {edit?.isStale && <StaleNote field={field} newest={edit.base[field] ?? ''} />}
      {(hint || edit?.isStale || error) && (
        <div className="flex flex-wrap items-center gap-2">
          <Button look="primary" size="small" isBusy={isSaving} onClick={() => of.submit()}>
            {edit?.isStale ? 'Replace with my text' : 'Save'}
          </Button>
          <Button size="small" onClick={onCancel}>
            {edit?.isStale ? 'Keep the newest' : 'Cancel'}
          </Button>
          {!edit?.isStale && <span className="text-note text-muted">{hint}</span>}
        </div>
      )}
    </div>
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
