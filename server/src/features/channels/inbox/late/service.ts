import { ChatFailure, isChatFailure } from '../../../../adapters/chat/provider.ts';
import type { Context } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import type { Transaction } from '../../../../db/types.ts';
import { amendArrived } from '../../../messages/inbound/service.ts';
import type { ChannelContext } from '../../channel-context.ts';
import { findConnection } from '../../connections/store.ts';
import { openConnection } from '../../secrets.ts';
import { fetchFile, IS_LATE, mayPass, NEVER_CAME, whyNever } from '../files.ts';
import { LATE_FILE } from './job-kind.ts';
import {
  deleteLate,
  findLate,
  insertLateAtCommit,
  type LateFile,
  type LatePlace,
  type LateRow,
} from './store.ts';

const FIRST_PAUSE_MS = 1_000;

/** In the message's commit. */
export function awaitLateAtCommit(
  ctx: ChannelContext & { db: Transaction },
  place: Omit<LateRow, 'isGone' | keyof LateFile>,
  files: readonly LateFile[],
): void {
  const { orgId, jobs, db } = ctx;
  for (const file of files) {
    insertLateAtCommit(ctx, { ...place, ...file });
    const payload = { orgId, messageId: place.messageId, position: file.position };
    jobs.enqueue(db, { kind: LATE_FILE, payload, lane: orgId, delayMs: FIRST_PAUSE_MS });
  }
}

/**
 * Brings a file that could not be fetched with its message, and attaches it. Throws what may pass. If it never comes,
 * the message keeps the link and says so.
 */
export async function bringLateFile(
  ctx: Context,
  place: LatePlace,
  signal: AbortSignal,
): Promise<void> {
  const late = await findLate(ctx, place);
  if (!late) return;
  const connection = await findConnection(ctx, late.connectionId);
  if (late.isGone || !connection) return endLate(ctx, late, NEVER_CAME);
  try {
    const provider = openConnection(ctx, connection);
    const { id: fileId } = await fetchFile(ctx, { provider, signal }, late);
    const { shown } = late;
    const texts = [noteOf(late, IS_LATE), shown].map((text) => ({ text, by: '' }));
    await amendArrived(ctx, messageOf(late), { texts, fileId }, (tx) =>
      deleteLate({ ...ctx, db: tx }, late),
    );
  } catch (error) {
    const isFinal = error instanceof ChatFailure || error instanceof AppError;
    // Somebody may enter a new token meanwhile.
    const mayHeal = mayPass(error) || isChatFailure(error, 'unauthorized');
    if (signal.aborted || !isFinal || mayHeal) throw error;
    ctx.log.warn({ ...place, err: error }, 'a file of a chat channel stays there');
    await endLate(ctx, late, whyNever(error));
  }
}

/** After the last attempt. */
export async function giveUpLateFile(
  ctx: Context,
  place: LatePlace,
  error: unknown,
): Promise<void> {
  const late = await findLate(ctx, place);
  if (late) await endLate(ctx, late, whyNever(error));
}

async function endLate(ctx: Context, late: LateRow, why: string): Promise<void> {
  const texts = [{ text: noteOf(late, IS_LATE), by: noteOf(late, why) }];
  await amendArrived(ctx, messageOf(late), { texts }, (tx) => deleteLate({ ...ctx, db: tx }, late));
}

function noteOf({ shown }: LateRow, note: string): string {
  return `${shown} *(${note})*`;
}

function messageOf({ messageId: id, projectId, sessionId }: LateRow) {
  return { id, projectId, sessionId };
}
