import { withTransaction, type UserContext } from '../../../core/context.ts';
import { emit, prepareFor } from '../../../events/emit.ts';
import type { Level } from '../../../access/following.ts';
import { requireInProject } from '../policy.ts';
import type { FollowSession } from '../schema.ts';
import { getSession } from '../service.ts';
import type { SessionRow } from '../store.ts';
import { countReach, saveFollow, saveLeave, saveLevel, type Reach } from './store.ts';

export { followMentionedAtCommit } from './store.ts';

/** Following starts with everything read. What a person follows is theirs, so it also changes in archived sessions. */
export async function followSession(
  ctx: UserContext,
  slug: string,
  sessionId: string,
  { level }: FollowSession,
): Promise<SessionRow> {
  const before = await getSession(ctx, slug, sessionId);
  if (!before.isFollowed) {
    await prepareFor(ctx, { type: 'session.muting', sessionId });
    await withTransaction(ctx, async (inner) => {
      await saveFollow(inner, sessionId);
    });
  }
  if (level && level !== before.level) await changeLevel(ctx, before, level);
  else if (!before.isFollowed) emitFollowed(ctx, before);
  return getSession(ctx, slug, sessionId);
}

/** It ends until they write or are mentioned again. Leaving what one doesn't follow keeps it from starting. */
export async function leaveSession(
  ctx: UserContext,
  slug: string,
  sessionId: string,
): Promise<SessionRow> {
  const session = await getSession(ctx, slug, sessionId);
  requireInProject(session, "A direct conversation can't be left. The level NONE silences it.");
  await prepareFor(ctx, { type: 'session.muting', sessionId });
  await withTransaction(ctx, async (inner) => {
    await saveLeave(inner, sessionId);
  });
  emitFollowed(ctx, session);
  return getSession(ctx, slug, sessionId);
}

/** Whom the caller would tell with @here or @everyone. */
export async function getReach(ctx: UserContext, slug: string, sessionId: string): Promise<Reach> {
  const { id } = await getSession(ctx, slug, sessionId);
  return countReach(ctx, id, ctx.presence.list(ctx.orgId));
}

/** The older way to choose a level. It neither follows nor leaves. */
export async function muteSession(
  ctx: UserContext,
  slug: string,
  sessionId: string,
  muted: boolean,
): Promise<SessionRow> {
  const session = await getSession(ctx, slug, sessionId);
  if ((session.level === 'NONE') === muted) return session;
  const level = muted ? 'NONE' : 'ALL';
  await changeLevel(ctx, session, level);
  return { ...session, level };
}

async function changeLevel(ctx: UserContext, session: SessionRow, level: Level): Promise<void> {
  await prepareFor(ctx, { type: 'session.muting', sessionId: session.id });
  await saveLevel(ctx, session.id, level);
  emitFollowed(ctx, session);
}

function emitFollowed(ctx: UserContext, { id: sessionId, projectId }: SessionRow): void {
  emit(ctx, { type: 'session.followed', projectId, sessionId, userId: ctx.actor.userId });
}
