import { withTransaction, type Context, type UserContext } from '../../../core/context.ts';
import type { Transaction } from '../../../db/types.ts';
import { AppError, invalidValue, limitReached, requireFound } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { emit } from '../../../events/emit.ts';
import { lockOwn } from '../../../access/own-lock.ts';
import { keepForNow, requireAttachable } from '../../files/attaching/service.ts';
import { requireContent } from '../policy.ts';
import type { CreateMessage, SessionMessagesPath } from '../schema.ts';
import { postMessage, requirePlace, type PostingChoice } from '../service.ts';
import { findPostingAccess } from '../store.ts';
import type { UpdateScheduled } from './schema.ts';
import {
  claimDue,
  deleteScheduled,
  deleteSentAtCommit,
  findDueAuthor,
  findScheduled,
  insertScheduled,
  markFailed,
  MOST_SCHEDULED,
  updateScheduled as updateRow,
  type Due,
  type DueAuthor,
  type ScheduledRow,
} from './store.ts';

export { listScheduled, scanScheduled, type ScheduledRow } from './store.ts';

/** The job that posts one of them. */
export const SEND_SCHEDULED = 'send-scheduled-message';

const MOST_DAYS = 120;
const DAY_MS = 86_400_000;
const WHAT = 'This scheduled message';

/** The job and the row are in one commit. Rights and archives are checked now, and again when it is due. */
export async function scheduleMessage(
  ctx: UserContext,
  { slug, sessionId }: SessionMessagesPath,
  input: CreateMessage & { sendAt: Date },
  { byPerson = false }: Pick<PostingChoice, 'byPerson'> = {},
): Promise<ScheduledRow> {
  const { parentMessageId = null, fileIds = [], sendAt } = input;
  const body = requireContent(input.body, fileIds.length > 0);
  requireNear(ctx, sendAt);
  const id = newId();
  return withTransaction(ctx, async (inner) => {
    const place = { slug, sessionId, parentMessageId };
    requirePlace(await findPostingAccess(inner, place), place);
    await requireAttachable(inner, { slug }, fileIds);
    await lockOwn(inner);
    const planned = { id, sessionId, parentMessageId, body, fileIds, sendAt, byPerson };
    if (!(await insertScheduled(inner, planned))) {
      throw limitReached(
        'scheduled_messages_per_person',
        MOST_SCHEDULED,
        `You have ${MOST_SCHEDULED} messages to send later. Cancel one first.`,
      );
    }
    plan(inner, id, sendAt);
    return getScheduled(inner, id);
  });
}

export async function getScheduled(ctx: UserContext, id: string): Promise<ScheduledRow> {
  return requireFound(await findScheduled(ctx, id), WHAT);
}

/** The job of the time before finds it gone, or due later. */
export async function updateScheduled(
  ctx: UserContext,
  id: string,
  { body, fileIds, sendAt }: UpdateScheduled,
): Promise<ScheduledRow> {
  if (sendAt) requireNear(ctx, sendAt);
  return withTransaction(ctx, async (inner) => {
    const had = fileIds ? (await getScheduled(inner, id)).attachments : [];
    requireFound((await updateRow(inner, id, { body, fileIds, sendAt })) || undefined, WHAT);
    if (sendAt) plan(inner, id, sendAt);
    else emit(inner, { type: 'kept.changed', userId: ctx.actor.userId });
    const after = await getScheduled(inner, id);
    if (fileIds) await requireAttachable(inner, { projectId: after.project?.id ?? '' }, fileIds);
    if (had.length > 0) await keepForNow(inner, had.map(idOf));
    if (body !== undefined || fileIds) requireContent(after.body, after.attachments.length > 0);
    return after;
  });
}

const idOf = ({ fileId }: { fileId: string }) => fileId;

export async function cancelScheduled(ctx: UserContext, id: string): Promise<void> {
  const fileIds = requireFound(await deleteScheduled(ctx, id), WHAT);
  if (fileIds.length > 0) await keepForNow(ctx, fileIds);
  emit(ctx, { type: 'kept.changed', userId: ctx.actor.userId });
}

function plan(ctx: UserContext & { db: Transaction }, id: string, at: Date): void {
  const payload = { orgId: ctx.orgId, id, at };
  ctx.jobs.enqueue(ctx.db, { kind: SEND_SCHEDULED, payload, runAt: at });
  emit(ctx, { type: 'kept.changed', userId: ctx.actor.userId });
}

function requireNear({ clock }: UserContext, sendAt: Date): void {
  const aheadMs = sendAt.getTime() - clock.now().getTime();
  if (aheadMs <= 0) throw invalidValue('body.sendAt', 'must be in the future');
  if (aheadMs > MOST_DAYS * DAY_MS) {
    throw invalidValue('body.sendAt', `must be at most ${MOST_DAYS} days ahead`);
  }
}

/** Posts it as its author with the rights that they have now, once, however often the job runs. */
export async function sendScheduled(ctx: Context, due: Due): Promise<void> {
  const author = await findDueAuthor(ctx, due);
  if (!author) return;
  try {
    await post(ctx, due, author);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await failScheduled(ctx, due, error.message);
  }
}

async function post(ctx: Context, due: Due, author: DueAuthor): Promise<void> {
  const credentials = { keyId: null, webSessionId: null, scopes: new Set<string>() };
  const actor = { kind: 'user', ...author, ...credentials, hasPlainQuestions: true } as const;
  await withTransaction({ ...ctx, actor }, async (inner) => {
    const planned = await claimDue(inner, due, author);
    if (!planned) return;
    const { id } = due;
    const { slug, sessionId, body, fileIds, byPerson } = planned;
    const parentMessageId = planned.parentMessageId ?? undefined;
    const message = { body, parentMessageId, fileIds };
    await postMessage(inner, { slug, sessionId }, message, { byPerson, id });
    deleteSentAtCommit(inner, id);
    emit(inner, { type: 'kept.changed', userId: author.userId });
  });
}

/** Keeps it with the reason, and tells its author. */
export async function failScheduled(ctx: Context, due: Due, failure: string): Promise<void> {
  const author = await findDueAuthor(ctx, due);
  if (!author) return;
  const { userId } = author;
  await withTransaction(ctx, async (inner) => {
    if (!(await markFailed(inner, due, failure))) return;
    emit(inner, { type: 'scheduled_message.failed', scheduledId: due.id, userId });
    emit(inner, { type: 'kept.changed', userId });
  });
}
