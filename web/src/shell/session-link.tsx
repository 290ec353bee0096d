import type { Session } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { AtSign, BellOff, Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import { isLoud } from '../data/following.ts';
import { UnreadCount } from '../ui/marks/unread-count.tsx';
import { cx } from '../ui/text/cx.ts';

interface SessionLinkProps {
  slug: string;
  session: Session;
  name: string;
  hasDraft: boolean;
  /** Before the name. */
  face: ReactNode;
  /** After it. */
  marks?: ReactNode;
}

/** A session or direct conversation in the sidebar. */
export function SessionLink({ slug, session, name, hasDraft, face, marks }: SessionLinkProps) {
  const isUnread = session.unreadCount > 0 && isLoud(session);
  return (
    <li>
      <Link
        to="/p/$slug/s/$sessionId"
        params={{ slug, sessionId: session.id }}
        activeOptions={{ includeSearch: false }}
        activeProps={{ className: 'bg-accent-soft text-accent' }}
        className="flex min-h-8 min-w-0 items-center gap-2 rounded-md px-2 text-sm hover:bg-hover"
      >
        {face}
        <span
          dir="auto"
          className={cx(
            'min-w-0 flex-1 truncate text-left',
            isUnread && 'font-bold',
            !isLoud(session) && 'text-muted',
          )}
        >
          {name}
        </span>
        {marks}
        <LevelMark session={session} />
        {hasDraft && (
          <Pencil role="img" aria-label="Draft" className="size-3.5 shrink-0 text-muted" />
        )}
        {isUnread && <UnreadCount count={session.unreadCount} />}
      </Link>
    </li>
  );
}

/** Nothing for those who want to know everything, which most do. */
function LevelMark({ session: { level } }: { session: Session }) {
  if (level === 'ALL') return null;
  const [Icon, label] = level === 'NONE' ? [BellOff, 'Muted'] : [AtSign, 'Mentions only'];
  return <Icon role="img" aria-label={label} className="size-3.5 shrink-0 text-muted" />;
}
