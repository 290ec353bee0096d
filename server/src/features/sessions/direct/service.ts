import { withTransaction, type UserContext } from '../../../core/context.ts';
import { invalid } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { DIRECT_SLUG, directKeyOf } from '../../../access/direct.ts';
import type { Transaction } from '../../../db/types.ts';
import { emit } from '../../../events/emit.ts';
import { getSession } from '../service.ts';
import type { SessionRow } from '../store.ts';
import { findDirectPlace, insertDirectProject, insertDirectSession } from './store.ts';

/** Pages show the names of the people instead, which change and differ for each reader. */
const NAME = 'Direct message';
const PROJECT_NAME = 'Direct messages';

/** Makes, or returns, the one conversation of the caller and these people. */
export function openDirect(ctx: UserContext, others: readonly string[]): Promise<SessionRow> {
  const { userId } = ctx.actor;
  const people = [userId, ...others];
  const directKey = directKeyOf(people);
  return withTransaction(ctx, async (inner) => {
    refuse(others, [userId], 'is your own id. Name the other people');
    const place = await findDirectPlace(inner, directKey, others);
    refuse(others, place.outsiders, 'is not a member of this organisation');
    const sessionId = place.sessionId ?? (await makeDirect(inner, { ...place, directKey, people }));
    return getSession(inner, DIRECT_SLUG, sessionId);
  });
}

async function makeDirect(
  ctx: UserContext & { db: Transaction },
  place: { projectId: string | null; directKey: string; people: readonly string[] },
): Promise<string> {
  const { directKey, people } = place;
  const projectId = place.projectId ?? (await makeProject(ctx, directKey));
  const id = newId();
  const session = { id, projectId, name: NAME, participantUserIds: people, directKey };
  if (await insertDirectSession(ctx, session)) {
    emit(ctx, { type: 'session.created', projectId, sessionId: id, isDirect: true });
    return id;
  }
  const { sessionId } = await findDirectPlace(ctx, directKey, []);
  if (sessionId === null) throw new Error('a direct conversation that is taken was not found');
  return sessionId;
}

async function makeProject(ctx: UserContext, directKey: string): Promise<string> {
  await insertDirectProject(ctx, { id: newId(), name: PROJECT_NAME });
  const { projectId } = await findDirectPlace(ctx, directKey, []);
  if (projectId === null) throw new Error('the Project of direct conversations was not found');
  return projectId;
}

function refuse(asked: readonly string[], refused: readonly string[], message: string): void {
  const errors = asked.flatMap((userId, at) =>
    refused.includes(userId)
      ? [{ location: `body.userIds[${at}]`, code: 'invalid_value', message }]
      : [],
  );
  if (errors.length > 0) throw invalid(errors);
}
