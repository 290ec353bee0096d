import type { Project, Task } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { SkeletonList } from '../../../ui/states/skeleton.tsx';
import { OfProject } from '../../projects/of-project.tsx';
import { TasksHeader } from '../list/tasks-header.tsx';
import { useTaskPages } from '../queries.ts';
import { StartDialog } from '../changes/run.tsx';
import type { Status } from '../statuses.ts';
import { NoTasks } from '../list/task-list.tsx';
import { STATUS } from '../task-words.ts';
import {
  COLUMNS,
  columnParams,
  keepUntilFound,
  readColumn,
  showOnce,
  type Column as ColumnName,
  type Place,
} from './columns.ts';
import { Column } from './column.tsx';
import { ProposalTray } from './tray.tsx';
import { useDrag, type Drag } from './use-drag.ts';
import { useMove } from './use-move.ts';

const route = getRouteApi('/workspace/p/$slug/tasks/board');

export function BoardScreen() {
  const { slug } = route.useParams();
  return (
    <OfProject slug={slug}>{(project) => <Board key={project.id} project={project} />}</OfProject>
  );
}

interface Moved {
  task: Task;
  place: Place;
  isByKeyboard: boolean;
}

/** A column per status. Each loads 50 tasks, and more as one scrolls. */
function Board({ project }: { project: Project }) {
  const id = useId();
  const { PROPOSED: proposed, ...columns } = useShown({
    PROPOSED: useTaskPages(project.id, columnParams('PROPOSED')),
    TODO: useTaskPages(project.id, columnParams('TODO')),
    IN_PROGRESS: useTaskPages(project.id, columnParams('IN_PROGRESS')),
    IN_REVIEW: useTaskPages(project.id, columnParams('IN_REVIEW')),
    DONE: useTaskPages(project.id, columnParams('DONE')),
    CANCELLED: useTaskPages(project.id, columnParams('CANCELLED')),
  });
  const { org } = useWorkspace();
  const queryClient = useQueryClient();
  const idsIn = (column: ColumnName) => readColumn(queryClient, org.id, project.id, column);
  const move = useMove(project.id);
  const [moved, setMoved] = useState<Moved>();
  const [starting, setStarting] = useState<Task>();
  const dragging = useDrag(idsIn, (task, place, isByKeyboard) => {
    move.mutate({ task, place });
    setMoved({ task, place, isByKeyboard });
  });
  useFocusAfterMove(moved);
  const canWrite = !project.archivedAt;
  // Everything appears at once, so that nothing jumps.
  const isLoading = [proposed, ...Object.values(columns)].some((one) => !one.tasks && !one.error);
  if (isLoading) {
    return (
      <div className="flex flex-col gap-4 p-4 sm:p-6">
        <TasksHeader project={project} />
        <SkeletonList label="Loading tasks…" />
      </div>
    );
  }
  const isEmpty = COLUMNS.every((column) => columns[column].tasks?.length === 0);
  return (
    <div className="absolute inset-0 flex min-h-0 flex-col gap-4 p-4 sm:p-6">
      <TasksHeader project={project} />
      <ProposalTray project={project} canWrite={canWrite} pages={proposed} />
      {isEmpty && <NoTasks slug={project.slug} />}
      <p id={id} className="sr-only">
        Press Space to pick the task up, the arrow keys to move it, Space to drop it, and Escape to
        put it back.
      </p>
      <p role="status" className="sr-only">
        {dragging.drag?.isByKeyboard
          ? placeInWords(dragging.drag, idsIn)
          : moved && `#${moved.task.number} moved to ${STATUS[moved.place.status]}`}
      </p>
      <div
        data-board
        className={cx(
          'relative flex min-h-0 flex-1 items-start gap-3 overflow-x-auto pb-2',
          // Snapping would undo the scrolling of a drag.
          !dragging.drag && 'snap-x',
        )}
      >
        {COLUMNS.map((column) => (
          <Column
            key={column}
            {...{ column, canWrite, dragging }}
            slug={project.slug}
            pages={columns[column]}
            describedBy={id}
            onStart={setStarting}
          />
        ))}
      </div>
      {starting && <StartDialog task={starting} onClose={() => setStarting(undefined)} />}
    </div>
  );
}

function placeInWords(
  { task, gap }: Drag,
  idsIn: (column: ColumnName) => readonly string[],
): string {
  const others = idsIn(gap.column).filter((id) => id !== task.id).length;
  return `#${task.number}: ${STATUS[gap.column]}, place ${gap.nth + 1} of ${others + 1}`;
}

/** The columns, each task in one of them. */
function useShown(fetched: Record<Status, ReturnType<typeof useTaskPages>>): typeof fetched {
  const before = useRef<typeof fetched>(undefined);
  const shown = keepUntilFound(showOnce(fetched), before.current);
  useEffect(() => void (before.current = shown));
  return shown;
}

/** The card is a new element in its new column, and focus follows it there. */
function useFocusAfterMove(moved: Moved | undefined): void {
  const done = useRef(moved);
  useEffect(() => {
    if (!moved?.isByKeyboard || done.current === moved) return;
    const { task, place } = moved;
    const grip = `[data-column="${place.status}"] [data-card="${task.id}"] [data-grip]`;
    const found = document.querySelector<HTMLElement>(grip);
    if (!found) return;
    done.current = moved;
    found.focus();
  });
}
