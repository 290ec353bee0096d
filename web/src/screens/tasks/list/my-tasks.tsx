import type { Task } from '@atrium/sdk';
import { ListChecks, Plus } from 'lucide-react';
import { useProjects } from '../../../data/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { PageHeader } from '../../../ui/pages/page.tsx';
import { useShellActions } from '../../../shared/shell-actions.ts';
import { useTaskPages } from '../queries.ts';
import { TaskRows } from './task-rows.tsx';
import { dayFromNow, OPEN } from '../task-words.ts';

/** What the person has to do in all projects, what is due first. */
export function MyTasksScreen() {
  const { openNewTask } = useShellActions();
  const { data: projects } = useProjects();
  const pages = useTaskPages(undefined, { assigneeUserId: 'me', status: OPEN, sort: 'dueOn' });
  const projectOf = (task: Task) => projects?.find(({ id }) => id === task.projectId);
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-6 p-4 sm:p-6">
      <PageHeader
        title="My tasks"
        actions={
          <Button look="primary" onClick={() => openNewTask()} icon={Plus}>
            New task
          </Button>
        }
      >
        Open tasks that are assigned to you, in all projects.
      </PageHeader>
      <TaskRows
        pages={projects ? pages : { ...pages, tasks: undefined }}
        slugOf={(task) => projectOf(task)?.slug ?? ''}
        about={(task) => (
          <p dir="auto" className="truncate text-left text-note text-muted">
            {projectOf(task)?.name}
          </p>
        )}
        groupOf={groupOf}
        empty={
          <EmptyState icon={ListChecks} title="Nothing to do">
            Open a task and choose yourself as its assignee, and it’s listed here. What is due first
            comes first.
          </EmptyState>
        }
      />
    </div>
  );
}

function groupOf({ dueOn }: Task): string {
  if (dueOn === null) return 'No due date';
  if (dueOn < dayFromNow(0)) return 'Overdue';
  if (dueOn === dayFromNow(0)) return 'Today';
  return dueOn < dayFromNow(7) ? 'Next 7 days' : 'Later';
}
