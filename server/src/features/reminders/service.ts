import { withTransaction, type Context, type UserContext } from '../../core/context.ts';
import type { Transaction } from '../../db/types.ts';
import { invalidValue, limitReached, notFound, requireFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { emit } from '../../events/emit.ts';
import { lockOwn } from '../../access/own-lock.ts';
import type { CreateReminder, UpdateReminder } from './schema.ts';
import {
  claimDue,
  deleteReminder,
  deleteToldAtCommit,
  findReminder,
  insertReminder,
  isReadable,
  MOST_REMINDERS,
  updateReminder as updateRow,
  type DueReminder,
  type ReminderRow,
} from './store.ts';

export { listReminders, scanReminders, type ReminderRow } from './store.ts';

/** The job that reminds one person once. */
export const REMIND = 'remind';

const MOST_DAYS = 731;
const DAY_MS = 86_400_000;
const WHAT = 'This reminder';

/** The job and the row are in one commit. */
export async function createReminder(
  ctx: UserContext,
  { messageId, taskId, text, at }: CreateReminder,
): Promise<ReminderRow> {
  if ([messageId, taskId, text].filter((about) => about !== undefined).length !== 1) {
    throw invalidValue('body', 'must have one of messageId, taskId and text');
  }
  requireNear(ctx, at);
  const id = newId();
  const about = { messageId: messageId ?? null, taskId: taskId ?? null, text: text ?? null };
  return withTransaction(ctx, async (inner) => {
    if (text === undefined && !(await isReadable(inner, { messageId, taskId }))) {
      throw notFound(messageId === undefined ? 'This task' : 'This message');
    }
    await lockOwn(inner);
    if (!(await insertReminder(inner, { id, at, ...about }))) {
      throw limitReached(
        'reminders_per_person',
        MOST_REMINDERS,
        `You have ${MOST_REMINDERS} reminders. Cancel one first.`,
      );
    }
    plan(inner, id, at);
    return getReminder(inner, id);
  });
}

/** Whether it is still there, and quotes the same. */
export async function isShownAs(
  ctx: UserContext,
  shown: Pick<ReminderRow, 'id' | 'excerpt'>,
): Promise<boolean> {
  const reminder = await findReminder(ctx, shown.id);
  return reminder?.excerpt === shown.excerpt;
}

async function getReminder(ctx: UserContext, id: string): Promise<ReminderRow> {
  return requireFound(await findReminder(ctx, id), WHAT);
}

/** The job of the time before finds it gone, or due later. */
export async function updateReminder(
  ctx: UserContext,
  id: string,
  { at, text }: UpdateReminder,
): Promise<ReminderRow> {
  if (at) requireNear(ctx, at);
  return withTransaction(ctx, async (inner) => {
    requireFound((await updateRow(inner, id, { at, text })) || undefined, WHAT);
    if (at) plan(inner, id, at);
    else emit(inner, { type: 'kept.changed', userId: ctx.actor.userId });
    return getReminder(inner, id);
  });
}

export async function cancelReminder(ctx: UserContext, id: string): Promise<void> {
  requireFound((await deleteReminder(ctx, id)) || undefined, WHAT);
  emit(ctx, { type: 'kept.changed', userId: ctx.actor.userId });
}

function plan(ctx: UserContext & { db: Transaction }, id: string, at: Date): void {
  const payload = { orgId: ctx.orgId, id, at };
  ctx.jobs.enqueue(ctx.db, { kind: REMIND, payload, runAt: at });
  emit(ctx, { type: 'kept.changed', userId: ctx.actor.userId });
}

function requireNear({ clock }: UserContext, at: Date): void {
  const aheadMs = at.getTime() - clock.now().getTime();
  if (aheadMs <= 0) throw invalidValue('body.at', 'must be in the future');
  if (aheadMs > MOST_DAYS * DAY_MS) throw invalidValue('body.at', 'must be within two years');
}

/** Tells the person once, however often the job runs: the commit that tells them deletes the reminder. */
export async function remind(ctx: Context, { id, at }: DueReminder): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    const due = await claimDue(inner, { id, at });
    if (!due) return;
    emit(inner, { type: 'reminder.due', reminderId: id, userId: due.userId });
    deleteToldAtCommit(inner, id);
    emit(inner, { type: 'kept.changed', userId: due.userId });
  });
}
