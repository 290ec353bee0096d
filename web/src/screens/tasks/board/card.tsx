import type { Task } from '@atrium/sdk';
import { Bot, GripVertical } from 'lucide-react';
import { memo } from 'react';
import { IconButton } from '../../../ui/controls/button.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { Assignee, TaskFacts } from '../list/task-facts.tsx';
import { TryAgain } from '../changes/run.tsx';
import { TaskLink } from '../list/task-rows.tsx';
import { isClosed, isUnfinished } from '../task-words.ts';
import type { DragHandlers } from './use-drag.ts';

interface CardProps {
  task: Task;
  slug: string;
  canWrite: boolean;
  isDragged: boolean;
  /** How it is moved by keyboard, for screen readers. */
  describedBy: string;
  onStart: (task: Task) => void;
  handlers: DragHandlers;
}

/** The copy of a card that is in the hand: above everything, a little turned, with a deeper shadow. */
const LIFTED =
  'data-lifted:pointer-events-none data-lifted:fixed data-lifted:z-50 data-lifted:cursor-grabbing data-lifted:shadow-lg data-lifted:transition-[rotate,scale,box-shadow] data-lifted:duration-150 data-[lifted=held]:rotate-2 data-[lifted=held]:shadow-2xl motion-reduce:data-[lifted=held]:rotate-0';

/** Rendered again only if it changes: a drag changes the board with each card that is passed. */
export const Card = memo(function Card(props: CardProps) {
  const { task, slug, canWrite, isDragged, describedBy, onStart, handlers } = props;
  const isRunning = task.run?.status === 'RUNNING';
  const canStart = canWrite && !isRunning && !isUnfinished(task) && !isClosed(task);
  return (
    <div
      data-card={task.id}
      onPointerDown={(event) => canWrite && handlers.onPointerDown(event, task)}
      className={cx(
        'group relative flex gap-1 rounded-lg border border-line bg-raised py-2 pr-3 pl-1 shadow-xs select-none hover:border-edge data-settling:opacity-0',
        isDragged && 'outline-2 outline-accent outline-dashed *:opacity-60',
        LIFTED,
      )}
    >
      <button
        type="button"
        data-grip
        aria-label={`Move #${task.number} ${task.title}`}
        aria-describedby={describedBy}
        aria-pressed={isDragged}
        className="relative z-1 inline-flex size-7 shrink-0 cursor-grab touch-none items-center justify-center rounded text-muted hover:bg-hover"
        onKeyDown={(event) => canWrite && handlers.onGripKeyDown(event, task)}
        onBlur={handlers.onGripBlur}
      >
        <GripVertical aria-hidden className="size-4" />
      </button>
      <div className="flex min-w-0 flex-1 flex-col gap-1.5 text-sm">
        <div className="flex min-w-0 items-start gap-2">
          <div className="min-w-0 flex-1">
            <span className="text-note text-muted">#{task.number}</span>{' '}
            <TaskLink task={task} slug={slug} />
          </div>
          {canStart && (
            <IconButton
              label={`Start agent on #${task.number}`}
              icon={Bot}
              onClick={() => onStart(task)}
              className="z-1 size-7! bg-card opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:relative pointer-coarse:opacity-100 pointer-fine:absolute pointer-fine:right-1 pointer-fine:bottom-1"
            />
          )}
          <Assignee task={task} />
        </div>
        <TaskFacts task={task} />
        {canWrite && <TryAgain task={task} />}
      </div>
    </div>
  );
});
