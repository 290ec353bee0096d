import type { EventContext, UserContext } from '../../../core/context.ts';
import { conflict, notFound } from '../../../core/errors.ts';
import type { ExplainFailure, Queryable, Transaction } from '../../../db/types.ts';
import { isViolation } from '../../../db/transactions/violations.ts';
import { emit } from '../../../events/emit.ts';
import {
  attachToMessageAtCommit,
  deleteUses,
  findReadable,
  lockFiles,
  lockUsed,
  replaceUsesOfTask,
  type AttachingProject,
  type AttachmentRow,
  type Told,
} from './store.ts';

export { keepForNow } from './store.ts';
export type { AttachmentRow };

type InTransaction = UserContext & { db: Transaction };

/**
 * The files as attachments, in this order, if the caller may attach all of them to something in the Project: any file
 * there that they may read, if its bytes have arrived and nothing was wrong with them.
 */
export async function requireAttachable(
  ctx: UserContext,
  project: AttachingProject,
  fileIds: readonly string[],
): Promise<AttachmentRow[]> {
  if (fileIds.length === 0) return [];
  const found = await findReadable(ctx, project, fileIds);
  if (found.length < fileIds.length) throw notFound('A file of `fileIds`');
  return found.map(({ attachment, reason }) => {
    requireUsable(attachment, reason);
    return attachment;
  });
}

/** Whether the caller may still read all of these: before a response that shows them is sent again. */
export async function mayShow(
  ctx: UserContext,
  project: AttachingProject,
  shown: readonly Pick<AttachmentRow, 'fileId'>[],
): Promise<boolean> {
  if (shown.length === 0) return true;
  const fileIds = [...new Set(shown.map(({ fileId }) => fileId))];
  return (await findReadable(ctx, project, fileIds)).length === fileIds.length;
}

export function isUsable({ status }: Pick<AttachmentRow, 'status'>): boolean {
  return status === 'READY' || status === 'CHECKING';
}

function requireUsable({ fileId, name, status }: AttachmentRow, reason: string | null): void {
  if (status === 'READY' || status === 'CHECKING') return;
  const details = { fileId, status };
  const why = reason === null ? '' : ` ${reason}`;
  const words = {
    UPLOADING: `"${name}" is still being uploaded. Attach it when the upload has ended.`,
    FAILED: `"${name}" can't be attached, because it could not be checked.${why} Upload it again.`,
    REFUSED: `"${name}" can't be attached, because it was refused.${why}`,
  }[status];
  throw conflict('file_not_ready', words, details);
}

/** With the commit that inserts the message, and after it. The caller has just read that they may. */
export function attachAtCommit(
  ctx: InTransaction,
  project: AttachingProject,
  { messageId, fileIds }: { messageId: string; fileIds: readonly string[] },
): void {
  const { userId, role } = ctx.actor;
  attachToMessageAtCommit(
    ctx,
    messageId,
    { fileIds, by: { userId, role } },
    {
      explain: explained((db) => whyNotAttached({ ...ctx, db }, project, fileIds)),
      tell: (told) => tell(ctx, told),
    },
  );
}

/** The same for what nobody here has uploaded, such as files of a message in a chat channel. */
export function attachArrivedAtCommit(
  ctx: EventContext,
  { messageId, fileIds }: { messageId: string; fileIds: readonly string[] },
): void {
  attachToMessageAtCommit(
    ctx,
    messageId,
    { fileIds, by: null },
    {
      explain: explained(() => notFound('A file of this message')),
      tell: (told) => tell(ctx, told),
    },
  );
}

function tell(ctx: EventContext, told: readonly Told[]): void {
  for (const { projectId, fileId, to } of told) {
    emit(ctx, { type: 'file.used', projectId, fileIds: [fileId], to });
  }
}

function explained(refuse: (db: Queryable) => Error | Promise<Error>): ExplainFailure {
  return (error, db) =>
    isViolation(error, 'fileNotAttachable') || isViolation(error, 'fileDeleted')
      ? refuse(db)
      : undefined;
}

async function whyNotAttached(
  ctx: UserContext,
  project: AttachingProject,
  fileIds: readonly string[],
): Promise<Error> {
  try {
    await requireAttachable(ctx, project, fileIds);
  } catch (error) {
    return error as Error;
  }
  return notFound('A file of `fileIds`'); // It could not be attached, and can be now.
}

/** The task has these files from now on, in this order. The caller has locked the tasks of the Project. */
export async function replaceFilesOfTask(
  ctx: InTransaction,
  { projectId, taskId }: { projectId: string; taskId: string },
  { before, fileIds }: { before: readonly string[]; fileIds: readonly string[] },
): Promise<void> {
  await lockFiles(ctx, [...before, ...fileIds]);
  // What it has already may stay, whatever has become of it.
  const added = fileIds.filter((id) => !before.includes(id));
  await requireAttachable(ctx, { projectId }, added);
  await replaceUsesOfTask(ctx, taskId, { fileIds, before, userId: ctx.actor.userId });
  const removed = before.filter((id) => !fileIds.includes(id));
  emit(ctx, { type: 'file.used', projectId, fileIds: [...added, ...removed], to: null });
}

/** A message has no files from now on. Before its session is locked. */
export async function detachAll(ctx: EventContext, messageId: string): Promise<void> {
  const used = await lockUsed(ctx, messageId);
  if (used.length === 0) return;
  await deleteUses(
    ctx,
    messageId,
    used.map(({ fileId }) => fileId),
  );
  tell(ctx, used);
}
