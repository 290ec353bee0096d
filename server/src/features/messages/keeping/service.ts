import { withTransaction, type UserContext } from '../../../core/context.ts';
import { limitReached } from '../../../core/errors.ts';
import { emit } from '../../../events/emit.ts';
import { lockOwn } from '../../../access/own-lock.ts';
import { openSession } from '../pages/service.ts';
import { messageDeleted, requireWritable } from '../policy.ts';
import type { MessagePath, SessionMessagesPath } from '../schema.ts';
import { getMessage } from '../service.ts';
import type { MessageRow } from '../store.ts';
import type { ListPins } from './schema.ts';
import {
  isSaved,
  listPins as listPinRows,
  MOST_PINS,
  MOST_SAVED,
  pin,
  save,
  unpinAtCommit,
  unsave,
} from './store.ts';

export { listSaved, type SavedRow } from './store.ts';

/** For everybody who can read the session. */
export async function pinMessage(ctx: UserContext, path: MessagePath): Promise<MessageRow> {
  return withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, path);
    requireWritable(access, message);
    if (message.pinnedAt !== null) return message;
    const isNew = await pin(inner, message);
    const { message: after } = await getMessage(inner, path);
    if (after.deletedAt !== null) throw messageDeleted();
    if (after.pinnedAt === null) {
      throw limitReached(
        'pins_per_session',
        MOST_PINS,
        `This session has ${MOST_PINS} pinned messages. Unpin one first.`,
      );
    }
    const { sessionId, id: messageId } = message;
    const { projectId } = access;
    if (isNew) emit(inner, { type: 'message.updated', projectId, sessionId, messageId });
    return after;
  });
}

export async function unpinMessage(ctx: UserContext, path: MessagePath): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, path);
    requireWritable(access, message);
    if (message.pinnedAt === null) return;
    unpinAtCommit(inner, message);
    const { sessionId, id: messageId } = message;
    const { projectId } = access;
    emit(inner, { type: 'message.updated', projectId, sessionId, messageId });
  });
}

export async function listPins(
  ctx: UserContext,
  path: SessionMessagesPath,
  query: ListPins,
): Promise<{ items: MessageRow[]; total: number }> {
  const { sessionId } = await openSession(ctx, path);
  return listPinRows(ctx, sessionId, query);
}

/** For the caller alone: nobody else learns of it. */
export async function saveMessage(ctx: UserContext, path: MessagePath): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    const { message } = await getMessage(inner, path);
    if (message.deletedAt !== null) throw messageDeleted();
    await lockOwn(inner);
    if (!(await save(inner, message.id)) && !(await isSaved(inner, message.id))) {
      throw limitReached(
        'saved_per_person',
        MOST_SAVED,
        `You have saved ${MOST_SAVED} messages. Remove some first.`,
      );
    }
    emit(inner, { type: 'kept.changed', userId: ctx.actor.userId });
  });
}

export async function unsaveMessage(ctx: UserContext, path: MessagePath): Promise<void> {
  const { message } = await getMessage(ctx, path);
  await unsave(ctx, message.id);
  emit(ctx, { type: 'kept.changed', userId: ctx.actor.userId });
}
