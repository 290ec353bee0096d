import type { Task } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { useRef, type ReactNode } from 'react';
import { Loading } from '../../../ui/states/loading.tsx';
import { MoreButton } from '../../../ui/pages/more-button.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { useUndoKey } from '../../../ui/keys/use-undo-key.ts';
import { BulkBar } from '../bulk/bulk-bar.tsx';
import { useChangeMany } from '../bulk/use-change-many.ts';
import { useListKeys } from '../bulk/use-list-keys.ts';
import { useSelection, type Selection } from '../bulk/use-selection.ts';
import { PriorityIcon } from '../pickers/priority-icon.tsx';
import { StatusIcon } from '../status-icon.tsx';
import { PRIORITY } from '../task-words.ts';
import type { useTaskPages } from '../queries.ts';
import { useGroups } from './groups.tsx';
import type { Group } from './search-params.ts';
import { Assignee, TaskFacts } from './task-facts.tsx';
import { linkName, rememberTrail } from '../trail.ts';

interface TaskRowsProps {
  pages: ReturnType<typeof useTaskPages>;
  slugOf: (task: Task) => string;
  /** Said in each row, such as the task's project. */
  about?: (task: Task) => ReactNode;
  group: Group;
  canWrite: boolean;
  empty: ReactNode;
}

/** Pages of tasks, one below the other, under headings. Those that are selected are changed together. */
export function TaskRows({ pages, slugOf, about, group, canWrite, empty }: TaskRowsProps) {
  const { tasks, error, refetch } = pages;
  const list = useRef<HTMLDivElement>(null);
  const groups = useGroups(group, tasks ?? []);
  // In the order in which they are shown, which ranges follow.
  const selection = useSelection(tasks && groups.flatMap(({ tasks: some }) => some));
  const undos = useRef<(() => Promise<void>)[]>([]);
  const change = useChangeMany((undo) => undos.current.push(undo));
  useListKeys(list, selection, canWrite);
  useUndoKey(() => void undos.current.pop()?.());
  if (!tasks || error) {
    return <Loading of={{ data: tasks, error, refetch }} label="Loading tasks…" />;
  }
  if (tasks.length === 0) return empty;
  return (
    <div ref={list} className="flex flex-col gap-4">
      {groups.map(({ name, icon, tasks: listed }) => (
        <section key={name} className="flex flex-col gap-1">
          {name && (
            <h2 className="flex items-center gap-2 px-2 text-sm font-semibold">
              {icon}
              <bdi className="min-w-0 truncate">{name}</bdi>
              <span className="font-normal text-muted">
                {listed.length}
                {pages.hasNextPage && '+'}
              </span>
            </h2>
          )}
          <ul
            aria-label={name || 'Tasks'}
            className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface"
          >
            {listed.map((task) => (
              <Row
                key={task.id}
                task={task}
                slug={slugOf(task)}
                about={about?.(task)}
                {...(canWrite && { selection })}
              />
            ))}
          </ul>
        </section>
      ))}
      <MoreButton of={pages}>Show more tasks</MoreButton>
      {selection.selected.length > 0 && (
        <BulkBar tasks={selection.selected} change={change} onClear={selection.clear} />
      )}
    </div>
  );
}

interface RowProps {
  task: Task;
  slug: string;
  about: ReactNode;
  /** Without it, nothing can be selected. */
  selection?: Selection;
}

/** 32 px high, and on touch screens as high as a finger needs. */
function Row({ task, slug, about, selection }: RowProps) {
  const isSelected = selection?.has(task.id) === true;
  return (
    <li
      data-row={task.id}
      className={cx(
        'group relative flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 px-2 py-1.5 sm:h-8 sm:min-h-0 sm:flex-nowrap sm:py-0',
        isSelected ? 'bg-accent-soft' : 'focus-within:bg-hover hover:bg-touched',
      )}
    >
      {selection && (
        <input
          type="checkbox"
          aria-label={`Select #${task.number} ${task.title}`}
          aria-keyshortcuts="x"
          className={cx(
            'z-1 size-4 shrink-0 accent-accent-strong group-hover:opacity-100 checked:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100',
            selection.selected.length === 0 && 'opacity-0',
          )}
          checked={isSelected}
          // A click with Shift selects everything up to it, which `onChange` doesn't know.
          onClick={({ shiftKey }) => selection.toggle(task.id, shiftKey)}
          onChange={() => {}}
        />
      )}
      <span data-tooltip={`Priority: ${PRIORITY[task.priority]}`} className="z-1 flex shrink-0">
        <PriorityIcon priority={task.priority} />
        <span className="sr-only">Priority {PRIORITY[task.priority]}</span>
      </span>
      <span className="w-9 shrink-0 text-note text-muted tabular-nums">#{task.number}</span>
      <StatusIcon status={task.status} />
      <TaskLink task={task} slug={slug} isCut />
      <div className="flex min-w-0 items-center gap-2 max-sm:order-last max-sm:basis-full max-sm:pl-6 sm:ml-auto sm:max-w-[60%] sm:shrink-0">
        <TaskFacts task={task} isRow />
        {about}
      </div>
      <span className="flex w-6 shrink-0 justify-end max-sm:ml-auto">
        <Assignee task={task} />
      </span>
    </li>
  );
}

interface TaskLinkProps {
  task: Task;
  slug: string;
  /** On one line, however long the title is. */
  isCut?: boolean;
}

/** Covers the card or row around it, which is `relative`. */
export function TaskLink({ task, slug, isCut = false }: TaskLinkProps) {
  const place = { slug, number: String(task.number) };
  return (
    <Link
      to="/p/$slug/t/$number"
      params={place}
      data-task-link={linkName(place)}
      onClick={({ currentTarget }) => rememberTrail(currentTarget)}
      dir="auto"
      draggable={false}
      title={isCut ? task.title : undefined}
      className={cx(
        "min-w-0 text-left font-medium after:absolute after:inset-0 after:content-['']",
        isCut ? 'flex-1 truncate text-sm outline-offset-0' : 'wrap-anywhere',
      )}
    >
      {task.title}
    </Link>
  );
}
