import type { z } from 'zod';
import type { UserContext } from '../../../core/context.ts';
import { presentFound } from '../present.ts';
import type { MessageMatches, SearchMessages } from '../schema.ts';
import { requirePlace } from './service.ts';
import { readFound } from './store.ts';

/**
 * Whether the caller would see each message of an earlier result today as they did then. If one was edited
 * or deleted, or is in a session that they may no longer read, the search has to be run again.
 */
export async function showsTheSame(
  ctx: UserContext,
  filter: SearchMessages,
  { items }: z.input<typeof MessageMatches>,
): Promise<boolean> {
  const { userId, role } = ctx.actor;
  const reader = { orgId: ctx.orgId, userId, role, projectIds: null, sessionId: null };
  const ids = items.map(({ message }) => message.id);
  const [found] = await Promise.all([readFound(ctx.db, reader, ids), requirePlace(ctx, filter)]);
  return items.every(({ message, session, project }) => {
    const now = found.get(message.id);
    return (
      now && JSON.stringify(presentFound(now)) === JSON.stringify({ message, session, project })
    );
  });
}
