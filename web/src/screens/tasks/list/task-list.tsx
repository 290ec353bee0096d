import type { Project } from '@atrium/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { ListChecks, SearchX } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { SearchBox } from '../../../ui/forms/search-box.tsx';
import { useShellActions } from '../../../shared/shell-actions.ts';
import { FilterBar } from './filter-bar.tsx';
import { toListParams } from './list-params.ts';
import { OfProject } from '../../projects/of-project.tsx';
import { TasksHeader } from './tasks-header.tsx';
import { useTaskPages } from '../queries.ts';
import { SaveView } from '../views/save-view.tsx';
import { isFiltered, NO_FILTERS, withDefaults } from './search-params.ts';
import { TaskRows } from './task-rows.tsx';
import { useTaskSearch } from './use-task-search.ts';
import { PAGE } from '../../../ui/pages/page-edge.ts';

const route = getRouteApi('/workspace/p/$slug/tasks');

export function TaskListScreen() {
  return <OfProject>{(project) => <TaskList key={project.id} project={project} />}</OfProject>;
}

function TaskList({ project }: { project: Project }) {
  const navigate = route.useNavigate();
  const [search, change] = useTaskSearch(route.useSearch(), (next) =>
    navigate({ search: next, replace: true }),
  );
  const pages = useTaskPages(project.id, toListParams(search));
  const input = useRef<HTMLInputElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const clear = () => change({ q: undefined, ...NO_FILTERS });
  return (
    <div className={PAGE}>
      <TasksHeader {...{ project, search }} layout="LIST" onChange={change} />
      <SearchBox
        label="Search tasks"
        placeholder="Words in titles and descriptions"
        inputRef={input}
        query={search.q ?? ''}
        isBusy={pages.isPlaceholderData}
        onSearch={(q) => change({ q })}
        onArrowDown={() => rows.current?.querySelector<HTMLElement>('li a')?.focus()}
      />
      <FilterBar projectId={project.id} search={search} onChange={change}>
        <SaveView projectId={project.id} search={search} layout="LIST" onChange={change} />
      </FilterBar>
      <div ref={rows}>
        <TaskRows
          pages={pages}
          slugOf={() => project.slug}
          group={withDefaults(search, false).group}
          canWrite={!project.archivedAt}
          empty={
            isFiltered(search) ? <NothingFound onClear={clear} /> : <NoTasks slug={project.slug} />
          }
        />
      </div>
    </div>
  );
}

export function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title="No tasks match these filters"
      action={<Button onClick={onClear}>Show all open tasks</Button>}
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
