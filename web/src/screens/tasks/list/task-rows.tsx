import type { Task } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Loading } from '../../../ui/states/loading.tsx';
import { MoreButton } from '../../../ui/pages/more-button.tsx';
import { Assignee, TaskFacts } from './task-facts.tsx';
import type { useTaskPages } from '../queries.ts';
import { StatusIcon } from '../status-icon.tsx';

interface TaskRowsProps {
  pages: ReturnType<typeof useTaskPages>;
  slugOf: (task: Task) => string;
  /** Said below the title, such as the task's project. */
  about?: (task: Task) => ReactNode;
  /** The heading that a task is listed under. */
  groupOf?: (task: Task) => string;
  empty: ReactNode;
}

/** Pages of tasks, one below the other. */
export function TaskRows({ pages, slugOf, about, groupOf, empty }: TaskRowsProps) {
  const { tasks, error, refetch } = pages;
  if (!tasks || error) {
    return <Loading of={{ data: tasks, error, refetch }} label="Loading tasks…" />;
  }
  if (tasks.length === 0) return empty;
  return (
    <div className="flex flex-col gap-3">
      {[...Map.groupBy(tasks, (task) => groupOf?.(task) ?? '')].map(([group, listed]) => (
        <section key={group} className="flex flex-col gap-2">
          {group && <h2 className="font-semibold">{group}</h2>}
          <ul
            aria-label={group || 'Tasks'}
            className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface"
          >
            {listed.map((task) => (
              <Row key={task.id} task={task} slug={slugOf(task)} about={about?.(task)} />
            ))}
          </ul>
        </section>
      ))}
      <MoreButton of={pages}>Show more tasks</MoreButton>
    </div>
  );
}

function Row({ task, slug, about }: { task: Task; slug: string; about: ReactNode }) {
  return (
    <li className="relative flex items-center gap-3 px-4 py-3 hover:bg-hover">
      <StatusIcon status={task.status} />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex min-w-0 items-baseline gap-2">
          <span className="shrink-0 text-note text-muted">#{task.number}</span>
          <TaskLink task={task} slug={slug} />
        </div>
        {about}
        <TaskFacts task={task} />
      </div>
      <Assignee task={task} />
    </li>
  );
}

/** Covers the card or row around it, which is `relative`. */
export function TaskLink({ task, slug }: { task: Task; slug: string }) {
  return (
    <Link
      to="/p/$slug/t/$number"
      params={{ slug, number: String(task.number) }}
      dir="auto"
      draggable={false}
      className="min-w-0 text-left font-medium wrap-anywhere after:absolute after:inset-0 after:content-['']"
    >
      {task.title}
    </Link>
  );
}
