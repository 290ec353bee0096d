import { getRouteApi, Link } from '@tanstack/react-router';
import { Tag } from 'lucide-react';
import { Ago } from '../../ui/time.tsx';
import { AudienceLine } from './audience.tsx';
import { changeSearch } from './change-search.ts';
import { Passage } from './highlight.tsx';
import { MemoryMenu } from './memory-menu.tsx';
import { PendingBadge, SourceLink } from './parts.tsx';
import { ScoreBar, ScoreDetails } from './score.tsx';
import type { Found } from './use-memories.ts';

const route = getRouteApi('/workspace/memory');
const PASSAGE_LENGTH = 420;

interface MemoryCardProps {
  memory: Found;
  query: string;
  onEdit: () => void;
  onDelete: () => void;
}

/** One memory in the list: what it says, whose it is, who sees it. */
export function MemoryCard({ memory, query, onEdit, onDelete }: MemoryCardProps) {
  const { id, content, score, scores, tags, sourceUrl, createdAt, embeddingStatus } = memory;
  return (
    <li className="relative flex flex-col gap-2 rounded-xl border border-line bg-surface p-4">
      <div className="flex items-start justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          {score !== undefined && <ScoreBar score={score} />}
          <AudienceLine memory={memory} />
          {embeddingStatus === 'PENDING' && <PendingBadge />}
        </div>
        <MemoryMenu memory={memory} onEdit={onEdit} onDelete={onDelete} />
      </div>
      <Link
        from="/memory"
        search={(before) => ({ ...before, id })}
        data-result
        dir="auto"
        className="line-clamp-6 rounded-md whitespace-pre-line wrap-anywhere hover:underline hover:decoration-line hover:underline-offset-4"
      >
        <Passage text={content} query={query} length={PASSAGE_LENGTH} />
      </Link>
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 text-[13px] text-muted">
        <Ago at={createdAt} />
        {sourceUrl !== null && <SourceLink url={sourceUrl} />}
        <TagLinks tags={tags} />
      </div>
      {scores && <ScoreDetails scores={scores} />}
    </li>
  );
}

/** Each tag leads to the memories that have it. */
export function TagLinks({ tags }: { tags: string[] }) {
  const active = route.useSearch().tag;
  if (tags.length === 0) return null;
  return (
    <ul aria-label="Tags" className="flex min-w-0 flex-wrap gap-1.5">
      {tags.map((tag) => (
        <li key={tag} className="min-w-0">
          <Link
            from="/memory"
            search={(before) => changeSearch(before, { tag, id: undefined })}
            aria-current={tag === active ? 'true' : undefined}
            className="inline-flex min-h-6 max-w-full items-center gap-1 rounded-full bg-hover px-2 text-xs text-ink hover:bg-accent-soft aria-[current=true]:bg-accent-soft aria-[current=true]:text-accent"
          >
            <Tag aria-hidden className="size-3 shrink-0" />
            <span dir="auto" className="wrap-anywhere">
              {tag}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
