import type { Project } from '@atrium/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { buttonClass } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PageHeader } from '../../ui/page.tsx';
import { SkeletonList } from '../../ui/skeleton.tsx';
import { OfProject } from '../projects/of-project.tsx';
import { useTask } from './queries.ts';
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
  const { data: task, error, refetch } = useTask(project.id, number);
  if (task) return <TaskPage task={task} project={project} />;
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-6 p-4 sm:p-6">
      {task === null ? (
        <TaskMissing project={project} number={number} />
      ) : error ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonList label="Loading task…" />
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
      <Link to="/p/$slug/tasks" params={{ slug: project.slug }} className={buttonClass()}>
        Go to tasks
      </Link>
    </>
  );
}
