import type { Project } from '@atrium/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { Loading } from '../../../ui/states/loading.tsx';
import { PageHeader } from '../../../ui/pages/page.tsx';
import { LinkButton } from '../../../ui/controls/link-button.tsx';
import { OfProject } from '../../projects/of-project.tsx';
import { useTask } from '../queries.ts';
import { TaskPage } from './task-page.tsx';

const route = getRouteApi('/workspace/p/$slug/t/$number');

export function TaskScreen() {
  const { slug, number } = route.useParams();
  return (
    <OfProject slug={slug}>
      {(project) => <TaskOf key={number} project={project} number={Number(number)} />}
    </OfProject>
  );
}

function TaskOf({ project, number }: { project: Project; number: number }) {
  const query = useTask(project.id, number);
  const task = query.data;
  if (task) return <TaskPage task={task} project={project} />;
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-6 p-4 sm:p-6">
      {task === null ? (
        <TaskMissing project={project} number={number} />
      ) : (
        <Loading of={query} label="Loading task…" />
      )}
    </div>
  );
}

function TaskMissing({ project, number }: { project: Project; number: number }) {
  return (
    <>
      <PageHeader title="Task not found">
        {project.name} has no task {Number.isNaN(number) ? 'like that' : `#${number}`}. The address
        may be mistyped.
      </PageHeader>
      <LinkButton to="/p/$slug/tasks" params={{ slug: project.slug }}>
        Go to tasks
      </LinkButton>
    </>
  );
}
