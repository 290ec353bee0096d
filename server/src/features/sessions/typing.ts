import type { PersonActor, WebContext } from '../../context.ts';
import { forbidden } from '../../errors.ts';
import { getSession } from './service.ts';

/** Tells whoever may read the session that this person is writing there. Nothing is stored. */
export async function announceTyping(
  ctx: WebContext<PersonActor>,
  slug: string,
  sessionId: string,
): Promise<void> {
  const { orgId, actor, hints } = ctx;
  const { role, userId } = actor;
  if (orgId === null || role === null) {
    throw forbidden('wrong_org', 'You are not a member of this organisation.');
  }
  const { projectId } = await getSession(
    { ...ctx, orgId, actor: { ...actor, role } },
    slug,
    sessionId,
  );
  hints.announce({ ...ctx, orgId }, { type: 'session.typing', projectId, sessionId, userId });
}
