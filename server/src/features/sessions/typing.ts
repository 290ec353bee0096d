import { asMember, type SignedInContext } from '../../core/context.ts';
import { emit } from '../../events/emit.ts';
import { getSession } from './service.ts';

/** Tells whoever may read the session that this person is writing there. Nothing is stored. */
export async function announceTyping(
  web: SignedInContext,
  slug: string,
  sessionId: string,
): Promise<void> {
  const ctx = asMember(web);
  const { projectId } = await getSession(ctx, slug, sessionId);
  emit(ctx, { type: 'session.typing', projectId, sessionId, userId: ctx.actor.userId });
}
