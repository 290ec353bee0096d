import type { Memory } from '@atrium/sdk';
import type { ReactNode } from 'react';
import { useProjectMembers } from '../../data/queries.ts';
import { Marked } from '../../ui/marks/passage.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { Ago } from '../../ui/marks/time.tsx';
import { AudienceLine } from './audience.tsx';
import { findMarks } from './find-marks.ts';
import { PendingBadge, SourceLink, TagLinks } from './parts.tsx';
import type { MemorySearch } from './search-params.ts';

interface MemoryRecordProps {
  memory: Memory;
  /** The search it was opened from: its words are highlighted, and tags narrow it down. */
  search?: MemorySearch;
}

/** A whole memory, in the memory screen and behind a citation: who can see it, its text, tags and source. */
export function MemoryRecord({ memory, search = {} }: MemoryRecordProps) {
  const { content, tags, sourceUrl, createdAt, updatedAt, embeddingStatus } = memory;
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
        // A long text scrolls, so the keyboard has to reach it.
        tabIndex={0}
        role="region"
        aria-label="Memory text"
      >
        <Marked text={content} marks={findMarks(content, search.q ?? '')} />
      </p>
      <TagLinks tags={tags} search={search} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-note text-muted">
        <span>
          Added <Ago at={createdAt} />
        </span>
        {updatedAt !== createdAt && (
          <span>
            Edited <Ago at={updatedAt} />
          </span>
        )}
        {sourceUrl !== null && <SourceLink url={sourceUrl} />}
      </div>
    </>
  );
}

/** Names the people who can see a project's memory. */
function ProjectAudience({ memory }: { memory: Memory }): ReactNode {
  const projectId = memory.visibility === 'PROJECT' ? memory.projectId : null;
  const { data: members } = useProjectMembers(projectId ?? undefined);
  if (!members) return null;
  const names = members.slice(0, 5).map(({ name }) => name);
  const others = members.length - names.length;
  return (
    <p dir="auto" className="text-note text-muted wrap-anywhere">
      Visible to {names.join(', ')}
      {others > 0 && ` and ${others} more`}.
    </p>
  );
}

export function MemoryRecordLoading() {
  return (
    <div role="status" className="flex flex-col gap-2">
      <span className="sr-only">Loading…</span>
      <Skeleton className="h-4 w-48" />
      <Skeleton className="h-24 w-full" />
    </div>
  );
}
