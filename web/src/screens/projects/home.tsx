import { Link } from '@tanstack/react-router';
import { FolderPlus } from 'lucide-react';
import { useState } from 'react';
import { useProjects } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Badge } from '../../ui/marks/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Loading } from '../../ui/states/loading.tsx';
import { PageHeader } from '../../ui/pages/page.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { Ago } from '../../ui/marks/time.tsx';
import { recency, useFollowedSessions, type ProjectSessions } from '../../data/all-sessions.ts';
import { useShellActions } from '../../shared/shell-actions.ts';
import { UnreadCount } from '../../ui/marks/unread-count.tsx';
import { AccessNote } from './access-note.tsx';
import { FirstRun } from './first-run.tsx';
import { NameStep } from './name-step.tsx';
import { Welcome } from './welcome.tsx';
import { PAGE } from '../../ui/pages/page-edge.ts';

/** All projects, with their recent activity. */
export function Home() {
  const { org } = useWorkspace();
  const { openNewProject } = useShellActions();
  const { error, refetch } = useProjects();
  const all = useByActivity(useFollowedSessions());
  const isEmpty = all?.length === 0;
  return (
    <div className={PAGE}>
      <PageHeader
        title="Projects"
        actions={
          !isEmpty && (
            <Button look="primary" onClick={openNewProject} icon={FolderPlus}>
              Create project
            </Button>
          )
        }
      >
        <span className="wrap-anywhere">Everything {org.name} is working on.</span>
      </PageHeader>
      <NameStep />
      <Loading of={{ data: all, error, refetch }}>
        <div role="status" className={GRID}>
          <span className="sr-only">Loading projects…</span>
          {[1, 2, 3].map((at) => (
            <Skeleton key={at} className="h-40 w-full rounded-xl" />
          ))}
        </div>
      </Loading>
      {all && <Welcome projects={all} />}
      {isEmpty && <FirstRun />}
      {all && all.length > 0 && (
        <ul className={GRID}>
          {all.map((entry) => (
            <ProjectCard key={entry.project.id} {...entry} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** Most recently active first. The order is fixed when the page opens, so that cards don't move under the pointer. */
function useByActivity(all: ProjectSessions[] | undefined): ProjectSessions[] | undefined {
  const [order, setOrder] = useState<string[]>();
  if (!order && all?.every(({ isLoading }) => !isLoading)) {
    const byActivity = all.toSorted((a, b) => findActivity(b).localeCompare(findActivity(a)));
    setOrder(byActivity.map(({ project }) => project.id));
  }
  if (!order) return undefined;
  const at = ({ project }: ProjectSessions) => order.indexOf(project.id);
  return all?.toSorted((a, b) => at(a) - at(b));
}

function findActivity({ project, sessions }: ProjectSessions): string {
  const times = sessions?.map(recency) ?? [];
  return [...times, project.createdAt].toSorted().at(-1) ?? '';
}

const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-4';
const SHOWN_TAGS = 4;

function ProjectCard({ project, sessions, unread }: ProjectSessions) {
  const { slug, name, description, tags } = project;
  const times = sessions?.map(({ lastMessageAt }) => lastMessageAt ?? '');
  const last = times?.toSorted().at(-1);
  return (
    <li className="relative flex min-h-40 flex-col gap-2 rounded-xl border border-line bg-surface p-4 focus-within:border-accent hover:border-edge">
      <div className="flex items-start justify-between gap-2">
        <h2 className="line-clamp-2 min-w-0 font-semibold wrap-anywhere" dir="auto">
          <Link
            to="/p/$slug"
            params={{ slug }}
            className="after:absolute after:inset-0 after:rounded-xl after:content-['']"
          >
            {name}
          </Link>
        </h2>
        <UnreadCount count={unread} />
      </div>
      {description && (
        <p className="line-clamp-2 text-sm text-muted wrap-anywhere" dir="auto">
          {description}
        </p>
      )}
      {tags.length > 0 && (
        <ul aria-label="Tags" className="flex flex-wrap gap-1">
          {tags.slice(0, SHOWN_TAGS).map((tag) => (
            <li key={tag} className="max-w-full">
              <Badge>
                <span dir="auto" title={tag} className="truncate">
                  {tag}
                </span>
              </Badge>
            </li>
          ))}
          {tags.length > SHOWN_TAGS && (
            <li>
              <Badge>+{tags.length - SHOWN_TAGS} more</Badge>
            </li>
          )}
        </ul>
      )}
      <div className="mt-auto flex flex-wrap items-center justify-between gap-x-3 gap-y-1 pt-2 text-note text-muted">
        <AccessNote access={project.access} />
        <span>
          {last ? 'Active' : 'Created'} <Ago at={last || project.createdAt} />
        </span>
      </div>
    </li>
  );
}
