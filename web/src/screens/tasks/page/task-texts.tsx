import type { Project, Task } from '@atrium/sdk';
import { Pencil } from 'lucide-react';
import { Suspense, type MouseEvent } from 'react';
import { lazyPart } from '../../../data/parts.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { toastWithUndo } from '../../../ui/layers/toast.tsx';
import { Editor } from './editor.tsx';
import { useTextEdit } from './use-text-edit.ts';

const Description = lazyPart(() => import('./session-parts.tsx'), 'Description');

interface TextProps {
  task: Task;
  canWrite: boolean;
}

const TITLE = 'text-xl font-semibold leading-snug';

/** Pressing it edits it. Enter and leaving it save, and Escape takes it back. */
export function TaskTitle({ task, canWrite }: TextProps) {
  const edit = useTextEdit(task, 'title');
  if (edit.edit) {
    return (
      <Editor
        of={edit}
        field="title"
        className={TITLE}
        isSaveKey={({ key }) => key === 'Enter'}
        onCancel={edit.cancel}
      />
    );
  }
  return (
    <h1 dir="auto" className={`${TITLE} wrap-anywhere`}>
      {canWrite ? (
        <button
          ref={edit.view}
          type="button"
          data-tooltip="Edit title"
          className="-m-1 w-full cursor-text rounded-md p-1 text-left wrap-anywhere hover:bg-hover"
          onClick={() => edit.open()}
        >
          {task.title}
        </button>
      ) : (
        task.title
      )}
    </h1>
  );
}

const KEYS = 'Markdown. Ctrl+Enter saves, Esc cancels.';

/** Pressing the text edits it. Links in it still lead where they do, and text can be selected. */
export function TaskDescription({ task, project, canWrite }: TextProps & { project: Project }) {
  const edit = useTextEdit(task, 'description');
  function cancel() {
    const text = edit.edit?.text ?? '';
    const isLost = text !== (edit.edit?.base.description ?? '') && text !== '';
    edit.cancel();
    if (!isLost) return;
    toastWithUndo('Changes to the description discarded', async () => edit.open(text), task.id);
  }
  if (edit.edit) {
    return (
      <Editor
        of={edit}
        field="description"
        className="min-h-24 leading-relaxed"
        isSaveKey={({ key, ctrlKey, metaKey }) => key === 'Enter' && (ctrlKey || metaKey)}
        onCancel={cancel}
        hint={KEYS}
      />
    );
  }
  if (!task.description) {
    return canWrite ? (
      <button
        ref={edit.view}
        type="button"
        className="-m-1 cursor-text rounded-md p-1 text-left text-sm text-muted hover:bg-hover"
        onClick={() => edit.open()}
      >
        Add a description…
      </button>
    ) : (
      <p className="text-sm text-muted">No description</p>
    );
  }
  return (
    <div className="group relative min-w-0">
      <div
        className={canWrite ? 'cursor-text' : undefined}
        onClick={(event) => canWrite && isPlainPress(event) && edit.open()}
      >
        <Suspense fallback={<p className="whitespace-pre-wrap">{task.description}</p>}>
          <Description text={task.description} projectId={project.id} slug={project.slug} />
        </Suspense>
      </div>
      {canWrite && (
        <IconButton
          ref={edit.view}
          label="Edit description"
          icon={Pencil}
          onClick={() => edit.open()}
          className="absolute -top-1 right-0 bg-ground opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
        />
      )}
    </div>
  );
}

/** Not on something that does something itself, and not at the end of a selection. */
function isPlainPress({ target, detail }: MouseEvent): boolean {
  if (!(target instanceof Element) || detail > 1) return false;
  if (target.closest('a, button, summary, input, pre')) return false;
  return getSelection()?.isCollapsed !== false;
}
