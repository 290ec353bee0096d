import type { Task } from '@atrium/sdk';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { Loading } from '../../../ui/states/loading.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { assigneeOf, assignTo } from '../assignees.ts';
import { useChangeTask } from '../changes/mutations.ts';
import { useTitles } from '../create/use-titles.ts';
import { TaskLink } from '../list/task-rows.tsx';
import { AssigneePicker } from '../pickers/task-pickers.tsx';
import { useSubtasks } from '../queries.ts';
import { StatusIcon } from '../status-icon.tsx';
import { isClosed } from '../task-words.ts';

interface SubtasksProps {
  task: Task;
  slug: string;
  canWrite: boolean;
}

/** A subtask has none of its own, so this is only shown for other tasks. */
export function Subtasks({ task, slug, canWrite }: SubtasksProps) {
  const query = useSubtasks(task);
  const subtasks = query.data;
  const { total, done } = task.subtasks;
  const canAdd = canWrite && !isClosed(task);
  if (!canAdd && total === 0) return null;
  return (
    <section className="flex flex-col gap-1">
      {total > 0 && (
        <h2 className="flex items-center gap-2 text-sm font-semibold">
          Subtasks
          <span className="text-note font-normal text-muted">
            {done} of {total} done
          </span>
          <span aria-hidden className="h-1 w-16 overflow-hidden rounded-full bg-hover">
            <span
              className="block h-full rounded-full bg-good"
              style={{ width: `${(100 * done) / total}%` }}
            />
          </span>
        </h2>
      )}
      {total > 0 && (
        <Loading of={query}>
          <Skeleton className="h-9 w-full" />
        </Loading>
      )}
      {subtasks && subtasks.length > 0 && (
        <ul aria-label="Subtasks" className="-mx-2 flex flex-col">
          {subtasks.map((subtask) => (
            <Subtask key={subtask.id} task={subtask} {...{ slug, canWrite }} />
          ))}
        </ul>
      )}
      {canAdd && <AddSubtasks parent={task} />}
    </section>
  );
}

function Subtask({ task, slug, canWrite }: SubtasksProps) {
  const change = useChangeTask(task);
  const shown = change.isPending ? ({ ...task, ...change.variables } as Task) : task;
  const isDone = isClosed(shown);
  return (
    <li className="relative flex min-h-9 items-center gap-2 rounded-md px-2 hover:bg-hover">
      <button
        type="button"
        role="checkbox"
        aria-checked={isDone}
        aria-label={`#${task.number} ${task.title} is done`}
        data-tooltip={isDone ? 'Reopen' : 'Mark as done'}
        disabled={!canWrite}
        className="relative z-1 -m-1 inline-flex size-7 shrink-0 items-center justify-center rounded-md hover:bg-line"
        onClick={() => change.mutate({ status: isDone ? 'TODO' : 'DONE' })}
      >
        <StatusIcon status={shown.status} />
      </button>
      <span className="text-note text-muted">#{task.number}</span>
      <span className={cx('min-w-0 flex-1', isDone && '[&_a]:font-normal [&_a]:text-muted')}>
        <TaskLink task={task} slug={slug} />
      </span>
      <span className="relative z-1">
        <AssigneePicker
          look="icon"
          align="end"
          disabled={!canWrite}
          projectId={task.projectId}
          value={assigneeOf(shown)}
          onChange={(value) => change.mutate(assignTo(value))}
        />
      </span>
    </li>
  );
}

/** A line that stays open: Enter adds one after the other, and each pasted line is one. */
function AddSubtasks({ parent }: { parent: Task }) {
  const [isAdding, setAdding] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { projectId, id: parentTaskId } = parent;
  const titles = useTitles({ projectId, parentTaskId });
  if (!isAdding) {
    return (
      <Button
        ref={button}
        size="small"
        look="quiet"
        icon={Plus}
        className="-mx-2 self-start text-muted!"
        onClick={() => setAdding(true)}
      >
        Add subtask
      </Button>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <textarea
        autoFocus
        aria-label="New subtask"
        aria-invalid={titles.problem ? true : undefined}
        placeholder="Title, then Enter"
        dir="auto"
        rows={Math.min(Math.max(titles.text.split('\n').length, 1), 8)}
        className="block w-full resize-none rounded-md border border-edge bg-surface px-3 py-1.5 text-sm"
        value={titles.text}
        readOnly={titles.isPending}
        onChange={({ target }) => titles.setText(target.value)}
        onBlur={() => titles.text.trim() === '' && !titles.isPending && setAdding(false)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter' && !event.shiftKey) titles.submit();
          else if (event.key === 'Escape') {
            titles.setText('');
            setAdding(false);
          } else return;
          event.preventDefault();
        }}
      />
      {titles.problem && (
        <p role="alert" className="text-note text-danger">
          {titles.problem}
        </p>
      )}
      {titles.error && <ErrorNote error={titles.error} />}
    </div>
  );
}
