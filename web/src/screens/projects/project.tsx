import type { Project } from '@atrium/sdk';
import { useParams } from '@tanstack/react-router';
import { BookMarked, Cable, ListChecks, MessageSquarePlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useProject } from '../../data/queries.ts';
import { Badge } from '../../ui/marks/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Loading } from '../../ui/states/loading.tsx';
import { PageHeader } from '../../ui/pages/page.tsx';
import { Skeleton, SkeletonList } from '../../ui/states/skeleton.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { useShellActions } from '../../shared/shell-actions.ts';
import { AccessNote } from './access-note.tsx';
import { ProjectMenu } from './project-menu.tsx';
import { ProjectMissing } from './project-missing.tsx';
import { ProjectPeople } from './project-people.tsx';
import { SessionTabs } from './session-tabs.tsx';

export function ProjectScreen() {
  const { slug } = useParams({ from: '/workspace/p/$slug' });
  const { project, error, refetch } = useProject(slug);
  if (project === undefined) {
    return (
      <Frame>
        <Loading of={{ data: project, error, refetch }}>
          <Skeleton className="h-8 w-56" />
          <Skeleton className="h-5 w-80 max-w-full" />
          <SkeletonList />
        </Loading>
      </Frame>
    );
  }
  if (project === null) return <ProjectMissing key={slug} slug={slug} />;
  return <ProjectPage key={project.id} project={project} />;
}

function ProjectPage({ project }: { project: Project }) {
  const { openNewSession } = useShellActions();
  return (
    <Frame>
      <PageHeader
        title={project.name}
        actions={
          <>
            <Button
              look="primary"
              onClick={() => openNewSession(project.slug)}
              icon={MessageSquarePlus}
            >
              Start session
            </Button>
            <LinkButton to="/p/$slug/tasks" params={{ slug: project.slug }} icon={ListChecks}>
              Tasks
            </LinkButton>
            <LinkButton to="/memory" search={{ project: project.id }} icon={BookMarked}>
              Memory
            </LinkButton>
            <LinkButton to="/p/$slug/channels" params={{ slug: project.slug }} icon={Cable}>
              Channels
            </LinkButton>
            <ProjectMenu project={project} />
          </>
        }
      >
        <ProjectFacts project={project} />
      </PageHeader>
      <SessionTabs project={project} />
      <ProjectPeople project={project} />
    </Frame>
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

function Frame({ children }: { children: ReactNode }) {
  return <div className="mx-auto flex w-full max-w-4xl flex-col gap-6 p-4 sm:p-6">{children}</div>;
}
