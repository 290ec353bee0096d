import type { Project } from '@atrium/sdk';
import { Plus } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';
import { ProjectHeader } from '../../projects/project-header.tsx';
import { useShellActions } from '../../../shared/shell-actions.ts';
import type { Layout } from '../views/view-search.ts';
import { ViewTabs } from '../views/view-tabs.tsx';
import type { TaskSearch, TaskSearchChanges } from './search-params.ts';

interface TasksHeaderProps {
  project: Project;
  search: TaskSearch;
  layout: Layout;
  onChange: (changes: TaskSearchChanges) => void;
}

/** The heading of a project's tasks. */
export function TasksHeader({ project, ...shown }: TasksHeaderProps) {
  const { openNewTask } = useShellActions();
  const { slug } = project;
  return (
    <div className="flex flex-col gap-3">
      <ProjectHeader
        project={project}
        page="Tasks"
        actions={
          <Button look="primary" onClick={() => openNewTask({ slug })} icon={Plus}>
            New task
          </Button>
        }
      />
      <ViewTabs project={project} {...shown} />
    </div>
  );
}
