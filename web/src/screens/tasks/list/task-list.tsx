import type { Project } from '@atrium/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { ListChecks, SearchX } from 'lucide-react';
import { useRef } from 'react';
import { changeSearch } from '../../../data/search-params.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { SearchBox } from '../../../ui/forms/search-box.tsx';
import { useShellActions } from '../../../shared/shell-actions.ts';
import { Filters } from './filters.tsx';
import { toListParams } from './list-params.ts';
import { OfProject } from '../../projects/of-project.tsx';
import { TasksHeader } from './tasks-header.tsx';
import { useTaskPages } from '../queries.ts';
import { isFiltered, NO_FILTERS, readTaskSearch, type TaskSearchChanges } from './search-params.ts';
import { TaskRows } from './task-rows.tsx';

const route = getRouteApi('/workspace/p/$slug/tasks');

export function TaskListScreen() {
  const { slug } = route.useParams();
  return <OfProject slug={slug}>{(project) => <TaskList project={project} />}</OfProject>;
}

function TaskList({ project }: { project: Project }) {
  // The router also passes on what `validateSearch` dropped.
  const search = readTaskSearch(route.useSearch());
  const navigate = route.useNavigate();
  const pages = useTaskPages(project.id, toListParams(search));
  const input = useRef<HTMLInputElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const change = (changes: TaskSearchChanges) =>
    void navigate({ search: changeSearch(search, changes), replace: true });
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-6 p-4 sm:p-6">
      <TasksHeader project={project} />
      <SearchBox
        label="Search tasks"
        placeholder="Words in titles and descriptions"
        inputRef={input}
        query={search.q ?? ''}
        isBusy={pages.isPlaceholderData}
        onSearch={(q) => change({ q })}
        onArrowDown={() => rows.current?.querySelector<HTMLElement>('li a')?.focus()}
      />
      <Filters projectId={project.id} search={search} onChange={change} />
      <div ref={rows}>
        <TaskRows
          pages={pages}
          slugOf={() => project.slug}
          empty={
            isFiltered(search) ? (
              <NothingFound onClear={() => change({ q: undefined, ...NO_FILTERS })} />
            ) : (
              <NoTasks slug={project.slug} />
            )
          }
        />
      </div>
    </div>
  );
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title="No tasks match these filters"
      action={<Button onClick={onClear}>Clear all filters</Button>}
    />
  );
}

export function NoTasks({ slug }: { slug: string }) {
  const { openNewTask } = useShellActions();
  return (
    <EmptyState
      icon={ListChecks}
      title="No open tasks"
      action={
        <Button look="primary" onClick={() => openNewTask({ slug })}>
          Create task
        </Button>
      }
    >
      A task is work for one person or agent, with its own discussion. Press c to create one, or
      paste a list to create several. Write #12 in a message to link to task 12.
    </EmptyState>
  );
}
