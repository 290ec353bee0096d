import type { Task } from '@atrium/sdk';
import { CalendarDays, CornerDownRight, ListTree, LoaderCircle } from 'lucide-react';
import { PersonAvatar } from '../../../shared/person/person-avatar.tsx';
import { PersonSpot } from '../../../shared/person/person-button.tsx';
import { AgentAvatar } from '../../../ui/marks/avatar.tsx';
import { Badge } from '../../../ui/marks/badge.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { assigneeOf, useAssigneeName } from '../assignees.ts';
import { dueInWords, isOverdue, isUnfinished, PRIORITY } from '../task-words.ts';

/** What a card and a row say about a task, besides its title. */
export function TaskFacts({ task, isRow = false }: { task: Task; isRow?: boolean }) {
  const { labels, dueOn, priority, subtasks, run, parentNumber } = task;
  return (
    <div
      className={cx(
        'flex min-w-0 flex-wrap items-center gap-1.5 text-note text-muted',
        // A row is one line, unless the window is narrow.
        isRow && 'empty:hidden sm:flex-nowrap sm:overflow-hidden sm:*:shrink-0',
      )}
    >
      {parentNumber !== null && (
        <span className="inline-flex items-center gap-1">
          <CornerDownRight aria-hidden className="size-3.5 rtl:-scale-x-100" />
          Subtask of #{parentNumber}
        </span>
      )}
      {run?.status === 'RUNNING' && (
        <Badge tone="accent">
          <LoaderCircle aria-hidden className="size-3.5" />
          Agent working
        </Badge>
      )}
      {isUnfinished(task) && (
        <Badge tone="danger">{run?.status === 'FAILED' ? 'Agent failed' : 'Agent stopped'}</Badge>
      )}
      {priority !== 'NONE' && !isRow && (
        <Badge tone={priority === 'URGENT' ? 'danger' : priority === 'HIGH' ? 'warn' : 'plain'}>
          {PRIORITY[priority]}
        </Badge>
      )}
      {dueOn && (
        <Badge tone={isOverdue(task) ? 'danger' : 'plain'}>
          <CalendarDays aria-hidden className="size-3.5" />
          {isOverdue(task) ? 'Overdue' : 'Due'} {dueInWords(dueOn)}
        </Badge>
      )}
      {labels.map((label) => (
        <Badge key={label}>
          <span dir="auto">{label}</span>
        </Badge>
      ))}
      {subtasks.total > 0 && (
        <span className="inline-flex items-center gap-1">
          <ListTree aria-hidden className="size-3.5" />
          {subtasks.done} of {subtasks.total}
          <span className="sr-only">subtasks done</span>
        </span>
      )}
    </div>
  );
}

export function Assignee({ task }: { task: Task }) {
  const nameOf = useAssigneeName();
  const value = assigneeOf(task);
  if (value === '') return null;
  const name = nameOf(value);
  return (
    <span title={value.startsWith('@') ? name : undefined} className="shrink-0">
      <span className="sr-only">Assigned to {name}</span>
      {value.startsWith('@') ? (
        <AgentAvatar slug={value.slice(1)} size="small" />
      ) : (
        <PersonSpot userId={value}>
          <PersonAvatar userId={value} name={name} size="small" />
        </PersonSpot>
      )}
    </span>
  );
}
