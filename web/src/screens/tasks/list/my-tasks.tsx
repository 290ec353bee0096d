import type { Task } from '@atrium/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { ListChecks, Plus } from 'lucide-react';
import { usePeople, useProjects } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { PageHeader } from '../../../ui/pages/page.tsx';
import { useShellActions } from '../../../shared/shell-actions.ts';
import { useTaskPages } from '../queries.ts';
import { SaveView } from '../views/save-view.tsx';
import { useViews } from '../views/use-views.ts';
import { ViewTabs } from '../views/view-tabs.tsx';
import { FilterBar } from './filter-bar.tsx';
import { toListParams } from './list-params.ts';
import { assigneesIn, NO_FILTERS, withDefaults, type TaskSearch } from './search-params.ts';
import { NothingFound } from './task-list.tsx';
import { TaskRows } from './task-rows.tsx';
import { useTaskSearch } from './use-task-search.ts';
import { PAGE } from '../../../ui/pages/page-edge.ts';

const route = getRouteApi('/workspace/tasks');

/** What somebody has to do in all projects that the person sees, what is due first unless they want it otherwise. */
export function MyTasksScreen() {
  const { openNewTask } = useShellActions();
  const { data: projects } = useProjects();
  const navigate = route.useNavigate();
  const [search, change] = useTaskSearch(route.useSearch(), (next) =>
    navigate({ search: next, replace: true }),
  );
  const full = withDefaults(search, true);
  const pages = useTaskPages(undefined, toListParams(full));
  const projectOf = (task: Task) => projects?.find(({ id }) => id === task.projectId);
  const { title, about, empty } = useWords(search);
  const isOtherwise = Object.keys(search).some((name) => name !== 'assignee');
  return (
    <div className={PAGE}>
      <PageHeader
        title={title}
        actions={
          <Button look="primary" onClick={() => openNewTask()} icon={Plus}>
            New task
          </Button>
        }
      >
        {about}
      </PageHeader>
      <ViewTabs search={search} layout="LIST" onChange={change} />
      <FilterBar projectId={undefined} search={search} onChange={change}>
        <SaveView projectId={null} search={search} layout="LIST" onChange={change} />
      </FilterBar>
      <TaskRows
        pages={projects ? pages : { ...pages, tasks: undefined }}
        slugOf={(task) => projectOf(task)?.slug ?? ''}
        about={(task) => (
          <p dir="auto" className="max-w-40 shrink-0 truncate text-left text-note text-muted">
            {projectOf(task)?.name}
          </p>
        )}
        group={full.group}
        canWrite
        empty={
          isOtherwise ? (
            <NothingFound onClear={() => change({ q: undefined, ...NO_FILTERS })} />
          ) : (
            <EmptyState icon={ListChecks} title="Nothing to do">
              {empty}
            </EmptyState>
          )
        }
      />
    </div>
  );
}

/** What the page is called: by the view, or by whose tasks they are. */
function useWords(search: TaskSearch) {
  const { profile } = useWorkspace();
  const person = usePeople();
  const view = useViews(null).find(({ id }) => id === search.view);
  const assignees = assigneesIn(withDefaults(search, true));
  const [one = ''] = assignees;
  const about = 'Tasks in the projects that you are in.';
  if (view) return { title: view.name, about, empty: '' };
  if (assignees.length === 1 && (one === 'me' || one === profile.userId)) {
    return {
      title: 'My tasks',
      about: 'Open tasks that are assigned to you, in all projects.',
      empty:
        'Open a task and choose yourself as its assignee, and it’s listed here. What is due first comes first.',
    };
  }
  if (assignees.length !== 1 || one === 'none' || one.startsWith('@')) {
    return { title: 'Tasks', about, empty: 'There are no open tasks in your projects.' };
  }
  const { name } = person(one);
  return {
    title: `Tasks of ${name}`,
    about: 'Open tasks in the projects that you are in.',
    empty: `${name} has no open tasks in your projects.`,
  };
}
