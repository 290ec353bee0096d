import { AtriumError, type Memory } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { keys } from '../../data/keys.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { RoleNote } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Ago } from '../../ui/time.tsx';
import { AudienceLine, useKeeper } from './audience.tsx';
import { Highlighted } from './highlight.tsx';
import { TagLinks } from './memory-card.tsx';
import { useLinkTo } from './memory-menu.tsx';
import { PendingBadge, SourceLink } from './parts.tsx';
import { useMemory } from './use-memories.ts';

interface MemoryViewProps {
  memoryId: string;
  query: string;
  onClose: () => void;
  onEdit: (memory: Memory) => void;
  onDelete: (memory: Memory) => void;
}

/** One memory, whole. It has an address of its own, so that others can be sent there. */
export function MemoryView({ memoryId, query, onClose, onEdit, onDelete }: MemoryViewProps) {
  const { data: memory, error, refetch } = useMemory(memoryId);
  return (
    <Dialog title="Memory" width="wide" onClose={onClose}>
      {error ? (
        <Missing error={error} onRetry={() => void refetch()} onClose={onClose} />
      ) : memory ? (
        <Whole
          memory={memory}
          query={query}
          onEdit={() => onEdit(memory)}
          onDelete={() => onDelete(memory)}
        />
      ) : (
        <div role="status" className="flex flex-col gap-2">
          <span className="sr-only">Loading…</span>
          <Skeleton className="h-4 w-48" />
          <Skeleton className="h-24 w-full" />
        </div>
      )}
    </Dialog>
  );
}

function Whole({
  memory,
  query,
  onEdit,
  onDelete,
}: {
  memory: Memory;
  query: string;
  onEdit: () => void;
  onDelete: () => void;
}) {
  const { content, tags, sourceUrl, createdAt, updatedAt, embeddingStatus } = memory;
  const { mayChange, why } = useKeeper()(memory);
  const link = useLinkTo(memory.id);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <AudienceLine memory={memory} />
        {embeddingStatus === 'PENDING' && <PendingBadge />}
      </div>
      <ProjectAudience memory={memory} />
      <p
        dir="auto"
        className="max-h-[50dvh] overflow-y-auto rounded-md bg-ground p-4 whitespace-pre-wrap wrap-anywhere"
        // A long one scrolls, and keys have to reach it.
        tabIndex={0}
        role="region"
        aria-label="What it says"
      >
        <Highlighted text={content} query={query} />
      </p>
      <TagLinks tags={tags} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-[13px] text-muted">
        <span>
          Remembered <Ago at={createdAt} />
        </span>
        {updatedAt !== createdAt && (
          <span>
            Changed <Ago at={updatedAt} />
          </span>
        )}
        {sourceUrl !== null && <SourceLink url={sourceUrl} />}
      </div>
      {!mayChange && <RoleNote>{why}</RoleNote>}
      <DialogActions>
        <CopyButton text={link} label="Copy link" size="medium" />
        <Button disabled={!mayChange} onClick={onDelete}>
          <Trash2 aria-hidden className="size-4" />
          Delete
        </Button>
        <Button disabled={!mayChange} onClick={onEdit}>
          <Pencil aria-hidden className="size-4" />
          Edit
        </Button>
      </DialogActions>
    </>
  );
}

/** Names the people, where a Project's members are chosen. */
function ProjectAudience({ memory }: { memory: Memory }): ReactNode {
  const { client, org } = useWorkspace();
  const projectId = memory.visibility === 'PROJECT' ? memory.projectId : null;
  const { data: members } = useQuery({
    queryKey: keys.projectMembers(org.id, projectId ?? ''),
    queryFn: async ({ signal }) =>
      (await client.projects.listMembers(projectId ?? '', { signal })).items,
    enabled: projectId !== null,
    staleTime: 60_000,
  });
  if (!members) return null;
  const names = members.slice(0, 5).map(({ name }) => name);
  const others = members.length - names.length;
  return (
    <p dir="auto" className="text-[13px] text-muted wrap-anywhere">
      Seen by {names.join(', ')}
      {others > 0 && ` and ${others} more`}.
    </p>
  );
}

function Missing({
  error,
  onRetry,
  onClose,
}: {
  error: Error;
  onRetry: () => void;
  onClose: () => void;
}) {
  if (!(error instanceof AtriumError) || error.status !== 404) {
    return <ErrorNote error={error} onRetry={onRetry} />;
  }
  return (
    <>
      <p>This memory cannot be shown. One of these is the reason:</p>
      <ul className="list-disc pl-5 text-sm text-muted">
        <li>It was deleted.</li>
        <li>It is private to somebody else, or to the members of a Project you are not in.</li>
        <li>It belongs to another organisation: switch to that one and open the link again.</li>
      </ul>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          See all memories
        </Button>
      </DialogActions>
    </>
  );
}
