import type { Task } from '@atrium/sdk';
import { Plus } from 'lucide-react';
import { Fragment, useEffect, useRef } from 'react';
import { IconButton } from '../../../ui/controls/button.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { useShellActions } from '../../../shared/shell-actions.ts';
import type { useTaskPages } from '../queries.ts';
import { STATUS } from '../statuses.ts';
import { Card } from './card.tsx';
import type { Column as ColumnName } from './columns.ts';
import type { useDrag } from './use-drag.ts';

type Pages = ReturnType<typeof useTaskPages>;

interface ColumnProps {
  column: ColumnName;
  slug: string;
  canWrite: boolean;
  pages: Pages;
  dragging: ReturnType<typeof useDrag>;
  describedBy: string;
  onStart: (task: Task) => void;
}

export function Column(props: ColumnProps) {
  const { column, slug, canWrite, pages, dragging, describedBy, onStart } = props;
  const { openNewTask } = useShellActions();
  const { tasks, total, error, refetch } = pages;
  const { drag } = dragging;
  const gap = drag?.gap.column === column ? drag.gap.nth : undefined;
  let nth = 0;
  return (
    <section
      data-column={column}
      aria-label={STATUS[column]}
      className="flex max-h-full w-[80vw] shrink-0 snap-start flex-col rounded-xl bg-well sm:w-56 sm:grow sm:basis-56 sm:max-w-96"
    >
      <header className="flex items-center justify-between gap-2 py-1 pr-1 pl-3">
        <h2 className="text-sm font-semibold">
          {STATUS[column]} <span className="font-normal text-muted">{tasks ? total : ''}</span>
        </h2>
        {canWrite && (
          <IconButton
            label={`Add task to ${STATUS[column]}`}
            icon={Plus}
            onClick={() => openNewTask({ slug, status: column })}
          />
        )}
      </header>
      <ol
        // What is cut off fades, so that one sees that there is more.
        className="flex min-h-24 flex-1 flex-col gap-2 overflow-y-auto p-2 pt-1 pb-4 [mask-image:linear-gradient(transparent,black_4px,black_calc(100%-16px),transparent)]"
      >
        {error && (
          <li>
            <ErrorNote error={error} onRetry={() => void refetch()} />
          </li>
        )}
        {tasks?.map((task) => {
          const isDragged = drag?.task.id === task.id;
          const at = isDragged ? undefined : nth++;
          return (
            <Fragment key={task.id}>
              {at !== undefined && at === gap && <Marker />}
              <li>
                <Card
                  {...{ task, slug, canWrite, isDragged, describedBy, onStart }}
                  handlers={dragging.handlers}
                />
              </li>
            </Fragment>
          );
        })}
        {gap !== undefined && gap >= nth && <Marker />}
        {pages.hasNextPage && (
          <More isLoading={pages.isFetchingNextPage} load={pages.fetchNextPage} />
        )}
      </ol>
    </section>
  );
}

/** Where the card would go. */
function Marker() {
  return <li aria-hidden data-marker className="h-1 shrink-0 rounded-full bg-accent-strong" />;
}

/** Loads the next page when it comes into view. */
function More({ isLoading, load }: { isLoading: boolean; load: Pages['fetchNextPage'] }) {
  const ref = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isLoading || !ref.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        void load({ cancelRefetch: false });
      },
      { rootMargin: '400px' },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [isLoading, load]);
  return (
    <li ref={ref} className="shrink-0 py-2 text-center text-note text-muted">
      <span role="status">Loading more…</span>
    </li>
  );
}
