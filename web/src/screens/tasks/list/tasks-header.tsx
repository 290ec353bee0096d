import type { Project } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';
import { PageHeader } from '../../../ui/pages/page.tsx';
import { ProjectLink } from '../../projects/of-project.tsx';
import { useShellActions } from '../../../shared/shell-actions.ts';

/** The heading of a project's tasks. */
export function TasksHeader({ project }: { project: Project }) {
  const { slug } = project;
  return (
    <div className="flex flex-col gap-3">
      <Heading project={project} />
      <nav aria-label="Views" className="flex gap-1 border-b border-line">
        <Link to="/p/$slug/tasks/board" params={{ slug }} className={VIEW} activeProps={CURRENT}>
          Board
        </Link>
        <Link
          to="/p/$slug/tasks"
          params={{ slug }}
          activeOptions={{ exact: true, includeSearch: false }}
          className={VIEW}
          activeProps={CURRENT}
        >
          List
        </Link>
      </nav>
    </div>
  );
}

const VIEW =
  'inline-flex min-h-9 items-center border-b-2 border-transparent px-3 text-sm font-medium text-muted hover:text-ink';
const CURRENT = { className: 'border-accent! text-ink!' };

function Heading({ project }: { project: Project }) {
  const { openNewTask } = useShellActions();
  return (
    <PageHeader
      title="Tasks"
      actions={
        <Button look="primary" onClick={() => openNewTask({ slug: project.slug })} icon={Plus}>
          New task
        </Button>
      }
    >
      <ProjectLink project={project} />
    </PageHeader>
  );
}
