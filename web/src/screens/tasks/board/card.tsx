import type { Task } from '@atrium/sdk';
import { Bot, GripVertical } from 'lucide-react';
import type { ComponentProps } from 'react';
import { IconButton } from '../../../ui/controls/button.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { Assignee, TaskFacts } from '../list/task-facts.tsx';
import { TryAgain } from '../changes/run.tsx';
import { TaskLink } from '../list/task-rows.tsx';
import { isUnfinished } from '../changes/use-start.ts';
import { isClosed } from '../task-words.ts';

interface CardProps {
  task: Task;
  slug: string;
  canWrite: boolean;
  isDragged: boolean;
  /** How it is moved by keyboard, for screen readers. */
  describedBy: string;
  onStart: () => void;
  onPointerDown: ComponentProps<'div'>['onPointerDown'];
  grip: Pick<ComponentProps<'button'>, 'onKeyDown' | 'onBlur'>;
}

export function Card(props: CardProps) {
  const { task, slug, canWrite, isDragged, describedBy, onStart, onPointerDown, grip } = props;
  return (
    <div
      data-card={task.id}
      onPointerDown={onPointerDown}
      className={cx(
        'group relative flex gap-1 rounded-lg border border-line bg-raised py-2 pr-3 pl-1 shadow-sm select-none hover:border-edge',
        isDragged && 'outline-2 outline-accent outline-dashed',
      )}
    >
      <button
        type="button"
        data-grip
        aria-label={`Move #${task.number} ${task.title}`}
        aria-describedby={describedBy}
        aria-pressed={isDragged}
        className="relative z-1 inline-flex size-7 shrink-0 cursor-grab touch-none items-center justify-center rounded text-muted hover:bg-hover"
        {...grip}
      >
        <GripVertical aria-hidden className="size-4" />
      </button>
      <div className="flex min-w-0 flex-1 flex-col gap-1.5 text-sm">
        <div className="flex min-w-0 items-start gap-2">
          <div className="min-w-0 flex-1">
            <span className="text-note text-muted">#{task.number}</span>{' '}
            <TaskLink task={task} slug={slug} />
          </div>
          {canWrite && canStart(task) && (
            <IconButton
              label={`Start agent on #${task.number}`}
              icon={Bot}
              onClick={onStart}
              className="relative z-1 size-7! opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
            />
          )}
          <Assignee task={task} />
        </div>
        <TaskFacts task={task} />
        {canWrite && <TryAgain task={task} />}
      </div>
    </div>
  );
}

/** One run at a time. */
function canStart(task: Task): boolean {
  return task.run?.status !== 'RUNNING' && !isUnfinished(task) && !isClosed(task);
}
