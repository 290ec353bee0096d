import type { EventContext } from '../../core/context.ts';
import { setLastOrgAtCommit } from './web-sessions/store.ts';

/** The browser opens a new organisation of its person next. */
export function openOrgNext({ db, orgId, actor }: EventContext): void {
  if (actor.kind !== 'user' || actor.webSessionId === null) return;
  setLastOrgAtCommit(db, actor.userId, orgId);
}
