import type { Memory } from '@atrium/sdk';
import { Building2, Folder, Lock } from 'lucide-react';
import { useMembers, usePeople, useProjects } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';

type MemoryScope = Pick<Memory, 'visibility' | 'projectId' | 'ownerUserId'>;

/** Who can see a memory and who it belongs to, in words. */
export function useAudience() {
  const { org, profile } = useWorkspace();
  const { data: projects } = useProjects();
  const { data: members } = useMembers();
  const people = usePeople();

  function projectName(projectId: string): string {
    const project = projects?.find(({ id }) => id === projectId);
    return project ? `Project ${project.name}` : projects ? 'An archived project' : 'Project …';
  }

  return {
    projectName,
    whoSees: ({ visibility, projectId }: MemoryScope): string => {
      if (visibility === 'PRIVATE') return 'Private · only you';
      if (visibility === 'ORG') return `Everyone in ${org.name}`;
      const project = projects?.find(({ id }) => id === projectId);
      const isCounted = project?.access === 'ORG' && members !== undefined;
      return `${projectName(projectId ?? '')} · its members${isCounted ? ` (${members.length})` : ''}`;
    },
    whose: ({ ownerUserId }: MemoryScope): string => {
      if (ownerUserId === null) return 'an organisation key (v1)';
      return ownerUserId === profile.userId ? 'you' : people(ownerUserId).name;
    },
  };
}

const ICON = { PRIVATE: Lock, PROJECT: Folder, ORG: Building2 };

/** The line shown on every memory. */
export function AudienceLine({ memory }: { memory: MemoryScope }) {
  const { whoSees, whose, projectName } = useAudience();
  const Icon = ICON[memory.visibility];
  const isLabelled = memory.visibility !== 'PROJECT' && memory.projectId !== null;
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 text-note text-muted">
      <span className="inline-flex min-w-0 items-center gap-1.5 font-medium text-ink">
        <Icon aria-hidden className="size-3.5 shrink-0" />
        <span dir="auto" className="min-w-0 wrap-anywhere">
          <span className="sr-only">Who can see it: </span>
          {whoSees(memory)}
        </span>
      </span>
      <span dir="auto" className="min-w-0 wrap-anywhere">
        by {whose(memory)}
      </span>
      {isLabelled && (
        <span dir="auto" className="min-w-0 wrap-anywhere">
          about {projectName(memory.projectId ?? '')}
        </span>
      )}
    </p>
  );
}

/** Whether the current person may change and delete a memory, and if not, who can. */
export function useKeeper({ ownerUserId, visibility }: MemoryScope) {
  const { profile, isAdmin } = useWorkspace();
  const people = usePeople();
  const owner = ownerUserId === null ? '' : `${people(ownerUserId).name}, `;
  return {
    mayChange: ownerUserId === profile.userId || (isAdmin && visibility !== 'PRIVATE'),
    why: `Only ${owner}an owner or an admin can change or delete it.`,
  };
}
