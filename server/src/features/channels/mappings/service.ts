import type { ChatChannel } from '../../../adapters/chat/provider.ts';
import { withTransaction, type UserContext } from '../../../core/context.ts';
import { conflict, invalidValue, notFound } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { emit } from '../../../events/emit.ts';
import { requireManager } from '../../../access/project.ts';
import { getManagedProject, getProject } from '../../projects/service.ts';
import { createSession, getSession, requireLiveSession } from '../../sessions/service.ts';
import { failureOf, getConnection } from '../connections/service.ts';
import { collectRest } from '../outbox/store.ts';
import { requireAnswers, requirePrivacy, requireSharer } from '../policy.ts';
import type { CreateChannelMapping, UpdateChannelMapping } from '../schema.ts';
import { openConnection } from '../secrets.ts';
import { restartConnection } from '../connections/store.ts';
import { comesIn, goesOut } from './directions.ts';
import {
  deleteMapping,
  dropEvents,
  findMapping,
  insertMappingAtCommit,
  listMappings as listRows,
  lockMapping,
  skipRest,
  updateMapping as updateRow,
  type Gap,
  type MappingRow,
} from './store.ts';

export type { MappingRow } from './store.ts';

const CHECK_MS = 8_000;
const LONGEST_NAME = 120;

export async function listMappings(ctx: UserContext, projectId: string): Promise<MappingRow[]> {
  await getProject(ctx, projectId);
  return listRows(ctx, projectId);
}

/** For exports. Who may read everything is for the caller to check. */
export function readMappings(ctx: UserContext): Promise<MappingRow[]> {
  return listRows(ctx, null);
}

/** Asks the chat system about the channel, once it is clear that the caller may map it. */
export async function checkChannel(
  ctx: UserContext,
  projectId: string,
  input: CreateChannelMapping,
): Promise<ChatChannel> {
  await getManagedProject(ctx, projectId);
  requireSharer(ctx, input.sharesOrgMemory);
  requireAnswers(ctx, input.answers);
  const connection = await getConnection(ctx, input.connectionId);
  try {
    const provider = openConnection(ctx, connection);
    const channel = await provider.getChannel(input.channelId, AbortSignal.timeout(CHECK_MS));
    requirePrivacy(ctx, channel);
    if (channel.isArchived) throw badChannel('is archived in the chat system');
    if (!channel.isMember) {
      throw badChannel(`is a channel that the bot is not in. Invite ${connection.botName} first`);
    }
    return channel;
  } catch (error) {
    if (error instanceof Error && error.name === 'AppError') throw error;
    const { code, message } = failureOf(error);
    throw badChannel(code === 'not_found' ? 'does not exist, or the bot cannot see it' : message);
  }
}

function badChannel(message: string): Error {
  return invalidValue('body.channelId', message);
}

export function createMapping(
  ctx: UserContext,
  projectId: string,
  input: CreateChannelMapping,
  channel: ChatChannel,
): Promise<MappingRow> {
  return withTransaction(ctx, async (inner) => {
    const project = await getManagedProject(inner, projectId);
    requireSharer(ctx, input.sharesOrgMemory);
    requireAnswers(ctx, input.answers);
    requirePrivacy(ctx, channel);
    const connection = await getConnection(inner, input.connectionId);
    const sessionId = await chooseSession(inner, project.slug, input.sessionId, channel);
    const now = ctx.clock.now();
    const mapping: MappingRow = {
      id: newId(),
      projectId,
      connectionId: connection.id,
      provider: connection.provider,
      workspaceId: connection.workspaceId,
      channelId: channel.id,
      channelName: channel.name,
      sessionId,
      direction: input.direction ?? 'BOTH',
      answers: input.answers ?? 'MEMBERS',
      sharesOrgMemory: input.sharesOrgMemory ?? false,
      status: 'ACTIVE',
      lastError: null,
      startsAt: now,
      place: now,
      gaps: [],
      privacy: ctx.actor.role === 'MEMBER' ? 'PUBLIC' : 'ALLOWED',
      createdById: ctx.actor.userId,
      createdAt: now,
    };
    insertMappingAtCommit(inner, mapping, (what) =>
      conflict('channel_mapped', `This ${what} is already mapped. Remove that mapping first.`),
    );
    emit(inner, { type: 'channel.mapped', mappingId: mapping.id, projectId, sessionId });
    return mapping;
  });
}

/** Everyone in the channel reads the session, so a private one can't be mapped. */
async function chooseSession(
  ctx: UserContext,
  slug: string,
  sessionId: string | undefined,
  channel: ChatChannel,
): Promise<string> {
  if (sessionId === undefined) {
    const name = `#${channel.name}`.slice(0, LONGEST_NAME).toWellFormed();
    return (await createSession(ctx, slug, { name })).id;
  }
  const session = await getSession(ctx, slug, sessionId);
  requireLiveSession(session);
  if (session.access === 'PROJECT') return sessionId;
  const message = 'is a private session, and everyone in the channel could read it';
  throw invalidValue('body.sessionId', message);
}

export function updateMapping(
  ctx: UserContext,
  projectId: string,
  mappingId: string,
  input: UpdateChannelMapping,
): Promise<MappingRow> {
  return withTransaction(ctx, async (inner) => {
    await getManagedProject(inner, projectId);
    requireSharer(ctx, input.sharesOrgMemory);
    const before = await lockMapping(inner, mappingId);
    if (before?.projectId !== projectId) throw notFound('This mapping');
    requireAnswers(ctx, input.answers, before.answers);
    const given = Object.entries(input).filter(([, value]) => value !== undefined);
    if (given.length === 0) return before;
    const after: MappingRow = { ...before, ...Object.fromEntries(given) };
    if (input.status === 'ACTIVE') {
      requirePrivacy(ctx, { isPrivate: before.privacy === 'CLOSED' });
      after.lastError = null;
      if (before.privacy === 'CLOSED') after.privacy = 'ALLOWED';
    }
    if (comesIn(after) && !comesIn(before)) {
      // What happened there meanwhile stays there.
      after.startsAt = after.place = ctx.clock.now();
      await dropEvents(inner, mappingId);
    }
    if (goesOut(before) && !goesOut(after)) await collectRest(inner, mappingId);
    if (goesOut(after) && !goesOut(before)) await skipRest(inner, mappingId);
    // Whoever serves the connection fetches what was written there while the mapping was broken.
    if (before.status === 'BROKEN' && after.status === 'ACTIVE') {
      await restartConnection(inner, before.connectionId);
    }
    after.gaps = gapsAfter(before, after, ctx.clock.now());
    await updateRow(inner, after);
    const fields = given.map(([field]) => field);
    emit(inner, { type: 'channel.updated', mappingId, projectId, fields });
    return after;
  });
}

const MOST_GAPS = 100;

function gapsAfter(before: MappingRow, after: MappingRow, now: Date): Gap[] {
  if ((before.status === 'PAUSED') === (after.status === 'PAUSED')) return before.gaps;
  const at = now.toISOString();
  if (after.status === 'PAUSED') return [...before.gaps, { from: at, to: null }].slice(-MOST_GAPS);
  return before.gaps.map((gap) => (gap.to === null ? { ...gap, to: at } : gap));
}

/** Messages stay where they are. */
export async function removeMapping(
  ctx: UserContext,
  projectId: string,
  mappingId: string,
): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    requireManager(ctx, await getProject(inner, projectId));
    const mapping = await findMapping(inner, mappingId);
    if (mapping?.projectId !== projectId) throw notFound('This mapping');
    if (!(await deleteMapping(inner, mappingId))) throw notFound('This mapping');
    const { sessionId } = mapping;
    emit(inner, { type: 'channel.unmapped', mappingId, projectId, sessionId });
  });
}
