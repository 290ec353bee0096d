import type { Project, TaskView } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { cx } from '../../../ui/text/cx.ts';
import type { TaskSearch, TaskSearchChanges } from '../list/search-params.ts';
import { toSearch, type Layout } from './view-search.ts';
import { useViews } from './use-views.ts';
import { ViewMenu } from './view-menu.tsx';

interface ViewTabsProps {
  /** Undefined for tasks of all projects. */
  project?: Project | undefined;
  search: TaskSearch;
  layout: Layout;
  onChange: (changes: TaskSearchChanges) => void;
}

const TAB =
  'inline-flex min-h-9 max-w-56 shrink-0 items-center border-b-2 px-2.5 text-sm font-medium whitespace-nowrap';
const CURRENT = 'border-accent text-ink';
const OTHER = 'border-transparent text-muted hover:text-ink';

/** Board, list, and the views that the person has saved. */
export function ViewTabs({ project, search, layout, onChange }: ViewTabsProps) {
  const views = useViews(project?.id ?? null);
  const current = views.find(({ id }) => id === search.view);
  const { view: _, ...filters } = search;
  const tabOf = (isCurrent: boolean) => ({
    className: cx(TAB, isCurrent ? CURRENT : OTHER),
    'aria-current': isCurrent ? ('page' as const) : undefined,
    // Otherwise the router says so of every view on this page.
    activeOptions: { exact: true, includeSearch: true },
  });
  const plain = (own: Layout) => tabOf(!current && layout === own);
  return (
    <nav
      aria-label="Views"
      className="flex gap-1 overflow-x-auto border-b border-line [scrollbar-width:none]"
    >
      {project ? (
        <>
          <Link
            to="/p/$slug/tasks/board"
            params={{ slug: project.slug }}
            search={filters}
            {...plain('BOARD')}
          >
            Board
          </Link>
          <Link
            to="/p/$slug/tasks"
            params={{ slug: project.slug }}
            search={filters}
            {...plain('LIST')}
          >
            List
          </Link>
        </>
      ) : (
        <Link to="/tasks" search={{}} {...tabOf(!current && search.assignee === undefined)}>
          My tasks
        </Link>
      )}
      {views.map((view) => (
        <span key={view.id} className="inline-flex shrink-0 items-center">
          <ViewLink {...{ view, project }} {...tabOf(view === current)}>
            <bdi className="truncate">{view.name}</bdi>
          </ViewLink>
          {view === current && (
            <ViewMenu key={view.id} {...{ view, views, search, layout, onChange }} />
          )}
        </span>
      ))}
    </nav>
  );
}

interface ViewLinkProps {
  view: TaskView;
  project?: Project | undefined;
  className: string;
  'aria-current': 'page' | undefined;
  activeOptions: { exact: boolean; includeSearch: boolean };
  children: ReactNode;
}

function ViewLink({ view, project, ...link }: ViewLinkProps) {
  const search = toSearch(view);
  if (!project) return <Link to="/tasks" search={search} {...link} />;
  const { slug } = project;
  return view.layout === 'BOARD' ? (
    <Link to="/p/$slug/tasks/board" params={{ slug }} search={search} {...link} />
  ) : (
    <Link to="/p/$slug/tasks" params={{ slug }} search={search} {...link} />
  );
}
