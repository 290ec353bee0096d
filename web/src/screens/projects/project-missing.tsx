import { AtriumError, type Atrium, type Project } from '@atrium/sdk';
import { ArchiveRestore, Lock } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../../data/query-keys.ts';
import { useFetched } from '../../data/use-fetched.ts';
import { Badge } from '../../ui/marks/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { PageHeader, RoleNote, usePageTitle } from '../../ui/pages/page.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { toastError } from '../../ui/layers/toast.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { NotFound } from '../../ui/pages/page-broken.tsx';
import { useManages } from '../../data/manages.ts';
import { ProjectSessionLists } from './session-list.tsx';
import { useRestoreProject } from './use-restore-project.ts';
import { PAGE } from '../../ui/pages/page-edge.ts';

/** A project that isn't in the list: it is archived, this person has no access, or it doesn't exist. */
export function ProjectMissing({ slug }: { slug: string }) {
  const found = useFetched(
    (orgId) => [...keys.project(orgId, slug), 'unlisted'],
    ({ client }) => findUnlisted(client, slug),
  );
  if (found.isPending) {
    return (
      <div className={PAGE}>
        <Skeleton className="h-8 w-56" />
      </div>
    );
  }
  const { error } = found;
  if (error instanceof AtriumError && error.status === 404) return <NotFound />;
  if (error instanceof AtriumError && error.reason === 'not_project_member') return <NotMember />;
  if (found.error) {
    return (
      <div className={PAGE}>
        <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
      </div>
    );
  }
  return <ArchivedProject slug={slug} project={found.data} />;
}

/** Only sessions can be listed by slug, and any of them names the project. Null if it has none. */
async function findUnlisted(client: Atrium, slug: string): Promise<Project | null> {
  for (const status of ['ACTIVE', 'ARCHIVED'] as const) {
    const { items } = await client.sessions.list(slug, { limit: 1, status });
    const [session] = items;
    if (session) return client.projects.get(session.projectId);
  }
  return null;
}

function NotMember() {
  usePageTitle('No access');
  return (
    <div className="mx-auto flex w-full max-w-lg flex-col items-start gap-4 p-6">
      <Lock aria-hidden className="size-8 text-muted" />
      <h1 className="text-xl font-semibold">You don’t have access to this project</h1>
      <p className="text-muted">
        Only people added to it can read its sessions and memory. Ask its creator, an owner or an
        admin to add you.
      </p>
      <LinkButton look="primary" to="/">
        Go to projects
      </LinkButton>
    </div>
  );
}

function ArchivedProject({ slug, project }: { slug: string; project: Project | null }) {
  return (
    <div className={PAGE}>
      <PageHeader title={project?.name ?? slug} actions={<Badge tone="warn">Archived</Badge>}>
        {project?.description && (
          <p className="wrap-anywhere" dir="auto">
            {project.description}
          </p>
        )}
      </PageHeader>
      <RoleNote>This project is archived. You can read it but not change it.</RoleNote>
      {project ? (
        <>
          <RestoreButton project={project} />
          <ProjectSessionLists project={project} />
        </>
      ) : (
        <p>It has no sessions.</p>
      )}
    </div>
  );
}

function RestoreButton({ project }: { project: Project }) {
  const isManager = useManages(project);
  const restore = useRestoreProject();
  const [isBusy, setBusy] = useState(false);
  if (!isManager) return null;
  return (
    <Button
      className="self-start"
      isBusy={isBusy}
      onClick={() => {
        setBusy(true);
        restore(project)
          .catch(toastError)
          .finally(() => setBusy(false));
      }}
      icon={ArchiveRestore}
    >
      Restore project
    </Button>
  );
}
