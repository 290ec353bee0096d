import type { Project } from '@atrium/sdk';
import { MessageSquarePlus } from 'lucide-react';
import { Badge } from '../../ui/marks/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Skeleton, SkeletonList } from '../../ui/states/skeleton.tsx';
import { useShellActions } from '../../shared/shell-actions.ts';
import { AccessNote } from './access-note.tsx';
import { OfProject } from './of-project.tsx';
import { ProjectHeader } from './project-header.tsx';
import { ProjectMenu } from './project-menu.tsx';
import { ProjectPeople } from './project-people.tsx';
import { ProjectSessionLists } from './session-list.tsx';
import { PAGE } from '../../ui/pages/page-edge.ts';

export function ProjectScreen() {
  const loading = (
    <>
      <Skeleton className="h-8 w-56" />
      <Skeleton className="h-5 w-80 max-w-full" />
      <SkeletonList />
    </>
  );
  return (
    <OfProject loading={loading}>
      {(project) => <ProjectPage key={project.id} project={project} />}
    </OfProject>
  );
}

function ProjectPage({ project }: { project: Project }) {
  const { openNewSession } = useShellActions();
  return (
    <div className={PAGE}>
      <ProjectHeader
        project={project}
        page="Sessions"
        actions={
          <>
            <Button
              look="primary"
              onClick={() => openNewSession(project.slug)}
              icon={MessageSquarePlus}
            >
              Start session
            </Button>
            <ProjectMenu project={project} />
          </>
        }
      >
        <ProjectFacts project={project} />
      </ProjectHeader>
      <ProjectSessionLists project={project} />
      <ProjectPeople project={project} />
    </div>
  );
}

function ProjectFacts({ project }: { project: Project }) {
  return (
    <div className="flex flex-col gap-2">
      {project.description && (
        <p className="whitespace-pre-line wrap-anywhere" dir="auto">
          {project.description}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <AccessNote access={project.access} />
        {project.tags.length > 0 && (
          <ul aria-label="Tags" className="flex flex-wrap gap-1">
            {project.tags.map((tag) => (
              <li key={tag} className="max-w-full">
                <Badge>
                  <span dir="auto">{tag}</span>
                </Badge>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
