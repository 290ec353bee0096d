import type { Session } from '@atrium/sdk';
import { Lock } from 'lucide-react';

/** Marks a private session, which only its participants can see. */
export function LockMark({ session }: { session: Pick<Session, 'access'> }) {
  if (session.access === 'PROJECT') return null;
  return <Lock role="img" aria-label="Private:" className="size-3.5 shrink-0 text-muted" />;
}
