import { withTransaction, type UserContext } from '../../core/context.ts';
import { conflict, invalid, notFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { emit } from '../../events/emit.ts';
import { requireAnswerer, usualName } from '../mentions/service.ts';
import {
  projectArchived,
  requireLiveProject,
  requireManager,
  requireProject,
} from '../../access/project.ts';
import { DIRECT_SLUG } from '../../access/direct.ts';
import { removeOutsidersAtCommit } from './participants/store.ts';
import {
  requireInProject,
  requireForAll,
  requireLiveSession,
  requireSomeone,
  sessionArchived,
} from './policy.ts';
import type { CreateSession, ListSessions, UpdateSession } from './schema.ts';
import {
  archiveSession as archiveRow,
  findSession,
  findSpace,
  insertSession,
  listSessions as listRows,
  notePlainQuestionsAtCommit,
  restoreSession as restoreRow,
  setTask,
  updateSession as updateRow,
  type SessionRow,
  type Space,
} from './store.ts';
import { findSummary, type SummaryRow } from './summaries/service.ts';
import { findFirstUnread } from './unread/store.ts';

/** The refusals of every feature that works inside a session. */
export { requireLiveSession, sessionArchived };
export { nameSessionAtCommit } from './store.ts';
export type { SessionRow };

export async function listSessions(ctx: UserContext, slug: string, query: ListSessions) {
  const { space, items, total } = await listRows(ctx, slug, query);
  // Its Project is made with the first one.
  if (!space && slug === DIRECT_SLUG) return { items, total };
  requireProject(space);
  return { items, total };
}

export async function getSession(
  ctx: UserContext,
  slug: string,
  sessionId: string,
): Promise<Space & SessionRow> {
  const session = requireProject(await findSession(ctx, slug, sessionId));
  if (session.id === null) throw notFound('This session');
  return session;
}

/** The Project, for somebody who asks for none of its sessions. */
export async function getSpace(ctx: UserContext, slug: string): Promise<Space> {
  return requireProject(await findSpace(ctx, slug, []));
}

/** As for names that people give. */
const LONGEST_NAME = 120;

export interface SessionDetails extends SessionRow {
  answersAs: string;
  firstUnreadMessageId: string | null;
  summary: SummaryRow | null;
}

export async function getSessionDetails(
  ctx: UserContext,
  slug: string,
  sessionId: string,
): Promise<SessionDetails> {
  const [session, summary = null, firstUnreadMessageId] = await Promise.all([
    getSession(ctx, slug, sessionId),
    findSummary(ctx.db, ctx.orgId, sessionId),
    findFirstUnread(ctx, sessionId),
  ]);
  const answersAs = await usualName(ctx, session);
  return { ...session, answersAs, firstUnreadMessageId, summary };
}

export async function createSession(
  ctx: UserContext,
  slug: string,
  input: CreateSession,
): Promise<SessionRow> {
  const { name, description = null, access = 'PROJECT', defaultAgent = null } = input;
  const { participantUserIds: asked = [], isForEveryone } = input;
  if (slug === DIRECT_SLUG) {
    throw conflict('direct_session', 'Direct conversations are made with POST /direct.');
  }
  const { answersWithoutMention = false, isUnnamed = false } = input;
  requireForAll({ access }, isForEveryone);
  return withTransaction(ctx, async (inner) => {
    const space = requireProject(await findSpace(inner, slug, asked));
    await requireAnswerer(inner, space.projectId, 'defaultAgent', defaultAgent);
    requireLiveProject(space.projectArchivedAt);
    refuseOutsiders(asked, space.outsiders);
    const session = await insertSession(inner, {
      id: newId(),
      projectId: space.projectId,
      access,
      name,
      description,
      defaultAgent,
      participantUserIds: [...new Set([ctx.actor.userId, ...asked])],
      isForEveryone,
      answersWithoutMention,
      isUnnamed,
    });
    if (!session) throw projectArchived();
    if (answersWithoutMention || isUnnamed) notePlainQuestionsAtCommit(inner.db, ctx.orgId);
    emit(inner, { type: 'session.created', ...idsOf(session) });
    return session;
  });
}

/** The session where a task is discussed. */
export function createTaskSession(
  ctx: UserContext,
  slug: string,
  task: { id: string; number: number; title: string },
): Promise<SessionRow> {
  return withTransaction(ctx, async (inner) => {
    const name = `#${task.number} ${task.title}`.slice(0, LONGEST_NAME).toWellFormed();
    const session = await createSession(inner, slug, { name, isForEveryone: false });
    await setTask(inner, session.id, task.id);
    return { ...session, taskId: task.id };
  });
}

export async function updateSession(
  ctx: UserContext,
  slug: string,
  sessionId: string,
  changes: UpdateSession,
): Promise<SessionRow> {
  const { model, participantUserIds, answersWithoutMention, isForEveryone } = changes;
  return withTransaction(ctx, async (inner) => {
    const session = await getSession(inner, slug, sessionId);
    requireLiveProject(session.projectArchivedAt);
    requireLiveSession(session);
    if (isForEveryone !== undefined) requireManager(ctx, session, 'session');
    requireForAll(session, isForEveryone);
    await requireAnswerer(inner, session.projectId, 'model', model);
    if (participantUserIds) {
      requireInProject(session, KEEPS_PEOPLE);
      requireSomeone(session, participantUserIds);
      const { outsiders } = requireProject(await findSpace(inner, slug, participantUserIds));
      refuseOutsiders(participantUserIds, outsiders);
    }
    if (Object.values(changes).every((change) => change === undefined)) return session;
    const updated = await updateRow(inner, sessionId, changes);
    if (!updated) {
      await getSession(inner, slug, sessionId);
      throw sessionArchived();
    }
    if (answersWithoutMention) notePlainQuestionsAtCommit(inner.db, ctx.orgId);
    const readers = changedReaders(session, participantUserIds);
    emit(inner, { type: 'session.updated', ...idsOf(session), readers });
    if (participantUserIds) removeOutsidersAtCommit(inner.db, ctx.orgId, sessionId);
    return updated;
  });
}

const KEEPS_PEOPLE =
  'A direct conversation keeps its people. Open the one with others with POST /direct.';

/** Those who can read a private session from now on, or no longer. */
function changedReaders(
  { access, participantUserIds: before }: SessionRow,
  after: readonly string[] = before,
): string[] {
  if (access === 'PROJECT') return [];
  return [...new Set(before).symmetricDifference(new Set(after))];
}

export async function archiveSession(
  ctx: UserContext,
  slug: string,
  sessionId: string,
): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    const session = await getSession(inner, slug, sessionId);
    requireInProject(session, "A direct conversation can't be archived.");
    requireManager(ctx, session, 'session');
    if (session.archivedAt !== null) return;
    requireLiveProject(session.projectArchivedAt);
    if (!(await archiveRow(inner, sessionId))) {
      await getSession(inner, slug, sessionId);
      return;
    }
    emit(inner, { type: 'session.archived', ...idsOf(session) });
  });
}

/** Restoring a session that is not archived changes nothing. */
export function restoreSession(
  ctx: UserContext,
  slug: string,
  sessionId: string,
): Promise<SessionRow> {
  return withTransaction(ctx, async (inner) => {
    const session = await getSession(inner, slug, sessionId);
    requireManager(ctx, session, 'session');
    requireLiveProject(session.projectArchivedAt);
    const restored = await restoreRow(inner, sessionId);
    if (!restored) return getSession(inner, slug, sessionId);
    emit(inner, { type: 'session.restored', ...idsOf(session) });
    return restored;
  });
}

function idsOf({ id: sessionId, projectId }: SessionRow): { sessionId: string; projectId: string } {
  return { sessionId, projectId };
}

function refuseOutsiders(asked: readonly string[], outsiders: readonly string[]): void {
  if (outsiders.length === 0) return;
  throw invalid(
    outsiders.map((userId) => ({
      location: `body.participantUserIds[${asked.indexOf(userId)}]`,
      code: 'invalid_value',
      message: 'is not a member of this Project',
    })),
  );
}
