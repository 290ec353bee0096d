import type { Project } from '@atrium/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { Loading } from '../../../ui/states/loading.tsx';
import { PageHeader } from '../../../ui/pages/page.tsx';
import { LinkButton } from '../../../ui/controls/link-button.tsx';
import { OfProject } from '../../projects/of-project.tsx';
import { useTask } from '../queries.ts';
import { TaskPage } from './task-page.tsx';
import { PAGE } from '../../../ui/pages/page-edge.ts';

const route = getRouteApi('/workspace/p/$slug/t/$number');

export function TaskScreen() {
  const { number } = route.useParams();
  return (
    <OfProject>
      {(project) => <TaskOf key={number} project={project} number={Number(number)} />}
    </OfProject>
  );
}

function TaskOf({ project, number }: { project: Project; number: number }) {
  const query = useTask(project.id, number);
  const task = query.data;
  if (task) return <TaskPage task={task} project={project} />;
  return (
    <div className={PAGE}>
      {task === null ? (
        <>
          <PageHeader title="Task not found">
            {project.name} has no task {Number.isNaN(number) ? 'like that' : `#${number}`}. The
            address may be mistyped.
          </PageHeader>
          <LinkButton to="/p/$slug/tasks" params={{ slug: project.slug }}>
            Go to tasks
          </LinkButton>
        </>
      ) : (
        <Loading of={query} label="Loading task…" />
      )}
    </div>
  );
}
