import { Link } from '@tanstack/react-router';
import { ExternalLink, Tag } from 'lucide-react';
import { changeSearch } from '../../data/search-params.ts';
import { Badge } from '../../ui/marks/badge.tsx';
import { safePage } from '../../ui/text/safe-link.ts';
import type { MemorySearch } from './search-params.ts';

const PENDING =
  'The embedding model hasn’t processed it yet. Until then, it’s found by its words only.';

/** Says what it means in the badge itself, because touch screens have no tooltips. */
export function PendingBadge() {
  return (
    <span title={PENDING}>
      <Badge tone="warn">
        Pending: found by words only<span className="sr-only">. {PENDING}</span>
      </Badge>
    </span>
  );
}

/** Where a memory comes from. Only web addresses become links. Anything else is text. */
export function SourceLink({ url }: { url: string }) {
  const href = safePage(url);
  if (!href) return <span className="min-w-0 wrap-anywhere">Source: {url}</span>;
  const { origin, host } = new URL(href);
  const isOwn = origin === location.origin;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={href}
      className="inline-flex min-h-6 min-w-0 items-center gap-1 text-accent underline underline-offset-2"
    >
      <ExternalLink aria-hidden className="size-3.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {isOwn ? 'Source: a message in Atrium' : `Source: ${host}`}
      </span>
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

/** Each tag links to the memories that have it, within the current search. */
export function TagLinks({ tags, search }: { tags: string[]; search: MemorySearch }) {
  if (tags.length === 0) return null;
  return (
    <ul aria-label="Tags" className="flex min-w-0 flex-wrap gap-1.5">
      {tags.map((tag) => (
        <li key={tag} className="min-w-0">
          <Link
            to="/memory"
            search={changeSearch(search, { tag, id: undefined })}
            aria-current={tag === search.tag ? 'true' : undefined}
            className="inline-flex min-h-6 max-w-full items-center gap-1 rounded-full bg-hover px-2 text-xs text-ink hover:bg-accent-soft aria-[current=true]:bg-accent-soft aria-[current=true]:text-accent"
          >
            <Tag aria-hidden className="size-3 shrink-0" />
            <bdi className="wrap-anywhere">{tag}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}
