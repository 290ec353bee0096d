import type { Task } from '@atrium/sdk';
import { CalendarDays, ListTree, LoaderCircle } from 'lucide-react';
import { AgentAvatar, Avatar } from '../../../ui/marks/avatar.tsx';
import { Badge } from '../../../ui/marks/badge.tsx';
import { assigneeOf, useAssigneeName } from '../assignees.ts';
import { isUnfinished } from '../changes/use-start.ts';
import { dueInWords, isOverdue, PRIORITY } from '../task-words.ts';

/** What a card and a row say about a task, besides its title. */
export function TaskFacts({ task }: { task: Task }) {
  const { labels, dueOn, priority, subtasks, run } = task;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-1.5 text-note text-muted">
      {run?.status === 'RUNNING' && (
        <Badge tone="accent">
          <LoaderCircle aria-hidden className="size-3.5" />
          Agent working
        </Badge>
      )}
      {isUnfinished(task) && (
        <Badge tone="danger">{run?.status === 'FAILED' ? 'Agent failed' : 'Agent stopped'}</Badge>
      )}
      {priority !== 'NONE' && (
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
    <span title={name} className="shrink-0">
      <span className="sr-only">Assigned to {name}</span>
      {value.startsWith('@') ? (
        <AgentAvatar size="small" />
      ) : (
        <Avatar name={name} seed={value} size="small" />
      )}
    </span>
  );
}
