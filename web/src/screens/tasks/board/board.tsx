import type { ListTasksParams, Project, Task } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { SkeletonList } from '../../../ui/states/skeleton.tsx';
import { OfProject } from '../../projects/of-project.tsx';
import { FilterBar } from '../list/filter-bar.tsx';
import { toFilters } from '../list/list-params.ts';
import { isFiltered, statusesIn } from '../list/search-params.ts';
import { TasksHeader } from '../list/tasks-header.tsx';
import { useTaskSearch } from '../list/use-task-search.ts';
import { useTaskPages } from '../queries.ts';
import { StartDialog } from '../changes/run.tsx';
import { STATUS, type Status } from '../statuses.ts';
import { NoTasks } from '../list/task-list.tsx';
import { SaveView } from '../views/save-view.tsx';
import {
  COLUMNS,
  columnParams,
  keepUntilFound,
  readColumn,
  showOnce,
  type Column as ColumnName,
} from './columns.ts';
import { Column } from './column.tsx';
import { MoreShadow, useMoreBeside } from './more-beside.tsx';
import { ProposalTray } from './tray.tsx';
import { useDrag, type Drag, type Move } from './use-drag.ts';
import { useMove } from './use-move.ts';

const route = getRouteApi('/workspace/p/$slug/tasks/board');

export function BoardScreen() {
  return <OfProject>{(project) => <Board key={project.id} project={project} />}</OfProject>;
}

/** A column per status. Each loads 50 tasks, and more as one scrolls. */
function Board({ project }: { project: Project }) {
  const id = useId();
  const navigate = route.useNavigate();
  const [search, change] = useTaskSearch(route.useSearch(), (next) =>
    navigate({ search: next, replace: true }),
  );
  const filters = toFilters(search);
  const { PROPOSED: proposed, ...columns } = useColumns(project.id, filters);
  const { org } = useWorkspace();
  const queryClient = useQueryClient();
  const key = { orgId: org.id, projectId: project.id, filters };
  const idsIn = (column: ColumnName) => readColumn(queryClient, key, column);
  const [moved, setMoved] = useState<Move>();
  const move = useMove(key, setMoved);
  const [starting, setStarting] = useState<Task>();
  const statuses = statusesIn(search);
  const chosen = COLUMNS.filter((column) => statuses?.includes(column));
  const shown = chosen.length > 0 ? chosen : COLUMNS;
  const dragging = useDrag(shown, idsIn, (next) => {
    move.mutate(next);
    setMoved(next);
  });
  useFocusAfterMove(moved);
  const { board, beside } = useMoreBeside();
  const canWrite = !project.archivedAt;
  // Everything appears at once, so that nothing jumps.
  const isLoading = [proposed, ...Object.values(columns)].some((one) => !one.tasks && !one.error);
  if (isLoading) {
    return (
      <div className="flex flex-col gap-4 p-4 sm:p-6">
        <TasksHeader {...{ project, search }} layout="BOARD" onChange={change} />
        <SkeletonList label="Loading tasks…" />
      </div>
    );
  }
  const isEmpty = COLUMNS.every((column) => columns[column].tasks?.length === 0);
  return (
    <div className="absolute inset-0 flex min-h-0 flex-col gap-3 p-4 pb-2 sm:px-6 sm:pt-6">
      <TasksHeader {...{ project, search }} layout="BOARD" onChange={change} />
      <FilterBar projectId={project.id} search={search} onChange={change} isBoard>
        <SaveView projectId={project.id} search={search} layout="BOARD" onChange={change} />
      </FilterBar>
      <ProposalTray project={project} canWrite={canWrite} pages={proposed} />
      {isEmpty && !isFiltered(search) && <NoTasks slug={project.slug} />}
      <p id={id} className="sr-only">
        Press Space to pick the task up, the arrow keys to move it, Space to drop it, and Escape to
        put it back.
      </p>
      <p role="status" className="sr-only">
        {dragging.drag?.isByKeyboard && placeInWords(dragging.drag, idsIn)}
      </p>
      <div className="relative flex min-h-0 flex-1 flex-col">
        <div
          data-board
          ref={board}
          className={cx(
            'relative flex min-h-0 flex-1 items-start gap-3 overflow-x-auto pb-2',
            // Snapping would undo the scrolling of a drag.
            !dragging.drag && 'snap-x',
          )}
        >
          {shown.map((column) => (
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
        <MoreShadow beside={beside} />
      </div>
      {starting && <StartDialog task={starting} onClose={() => setStarting(undefined)} />}
    </div>
  );
}

/** Every column as it is filtered, and the proposals. */
function useColumns(projectId: string, filters: ListTasksParams) {
  return useShown({
    PROPOSED: useTaskPages(projectId, columnParams('PROPOSED', filters)),
    TODO: useTaskPages(projectId, columnParams('TODO', filters)),
    IN_PROGRESS: useTaskPages(projectId, columnParams('IN_PROGRESS', filters)),
    IN_REVIEW: useTaskPages(projectId, columnParams('IN_REVIEW', filters)),
    DONE: useTaskPages(projectId, columnParams('DONE', filters)),
    CANCELLED: useTaskPages(projectId, columnParams('CANCELLED', filters)),
  });
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
function useFocusAfterMove(moved: Move | undefined): void {
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
