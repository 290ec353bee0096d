import { ExternalLink } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { safeLink } from './draft.ts';

const PENDING =
  'The embedding model has not read it yet. Until then it is found by its words only.';

/** Explained where it stands: a finger has no tooltip. */
export function PendingBadge() {
  return (
    <span title={PENDING}>
      <Badge tone="warn">
        Pending: found by its words only, so far<span className="sr-only">. {PENDING}</span>
      </Badge>
    </span>
  );
}

/** Where it comes from. Only plain web addresses become links; anything else is text. */
export function SourceLink({ url }: { url: string }) {
  const href = safeLink(url);
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
        {isOwn ? 'Source: a message here' : `Source: ${host}`}
      </span>
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
