import { Link } from '@tanstack/react-router';
import { Passage } from '../../ui/marks/passage.tsx';
import { Ago } from '../../ui/marks/time.tsx';
import { AudienceLine } from './audience.tsx';
import { findMarks } from './find-marks.ts';
import { MemoryMenu, type OpenDialog } from './memory-menu.tsx';
import { PendingBadge, SourceLink, TagLinks } from './parts.tsx';
import { ScoreBar, ScoreDetails } from './score.tsx';
import type { MemorySearch } from './search-params.ts';
import type { MemoryResult } from './use-memories.ts';

const PASSAGE_LENGTH = 420;

interface MemoryCardProps {
  memory: MemoryResult;
  search: MemorySearch;
  query: string;
  onOpen: (dialog: OpenDialog) => void;
}

/** One memory in the list: its text, its owner and who can see it. */
export function MemoryCard({ memory, search, query, onOpen }: MemoryCardProps) {
  const { id, content, score, scores, tags, sourceUrl, createdAt, embeddingStatus } = memory;
  return (
    <li className="relative flex flex-col gap-2 rounded-xl border border-line bg-surface p-4">
      <div className="flex items-start justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          {score !== undefined && <ScoreBar score={score} />}
          <AudienceLine memory={memory} />
          {embeddingStatus === 'PENDING' && <PendingBadge />}
        </div>
        <MemoryMenu memory={memory} onOpen={onOpen} />
      </div>
      <Link
        // This page, which is that of a project or of all.
        to="."
        search={(before) => ({ ...before, id })}
        data-result
        dir="auto"
        className="line-clamp-6 rounded-md whitespace-pre-line wrap-anywhere hover:underline hover:decoration-line hover:underline-offset-4"
      >
        <Passage text={content} marks={findMarks(content, query)} length={PASSAGE_LENGTH} />
      </Link>
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 text-note text-muted">
        <Ago at={createdAt} />
        {sourceUrl !== null && <SourceLink url={sourceUrl} />}
        <TagLinks tags={tags} search={search} />
      </div>
      {scores && <ScoreDetails scores={scores} />}
    </li>
  );
}
