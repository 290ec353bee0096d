import { ChatFailure, isChatFailure } from '../../../../adapters/chat/provider.ts';
import { StorageMissing } from '../../../../adapters/storage/storage.ts';
import { openContent } from '../../../files/service.ts';
import type { ChannelContext } from '../../channel-context.ts';
import {
  countAttempt,
  refuseFiles,
  saveUploaded,
  type FileRefusal,
  type OutgoingFile,
  type SentPlace,
} from './store.ts';

/** Then it goes without the file. A scanner that is gone must not stop a channel. */
const LONGEST_CHECK_MS = 30_000;
const MOST_ATTEMPTS = 4;

/** Whether a file of a message that is this old is still worth waiting for. */
export function isAwaited({ files, ageMs }: { files: OutgoingFile[]; ageMs: number }): boolean {
  return (
    ageMs < LONGEST_CHECK_MS && files.some((file) => isOpen(file) && file.status === 'CHECKING')
  );
}

/** Neither sent nor given up. */
function isOpen({ externalId, refusal }: OutgoingFile): boolean {
  return externalId === null && refusal === null;
}

/**
 * Sends the bytes of files that are not there yet. Nobody sees them before the message is posted, so it does no harm
 * if this is repeated. Returns whether anything has changed. Throws what stops the whole channel, and what may pass.
 */
export async function uploadFiles(
  ctx: ChannelContext,
  channelId: string,
  place: SentPlace,
  files: readonly OutgoingFile[],
): Promise<boolean> {
  const open = files.filter(isOpen);
  for (const file of open) {
    const refusal = whyNot(file) ?? (await upload(ctx, channelId, place, file));
    if (refusal !== undefined) await refuseFiles(ctx, place, [file.id], refusal);
  }
  return open.length > 0;
}

function whyNot({ status, attempts }: OutgoingFile): FileRefusal | undefined {
  if (status === 'CHECKING') return 'CHECKING';
  if (status !== 'READY') return 'MISSING';
  return attempts >= MOST_ATTEMPTS ? 'FAILED' : undefined;
}

async function upload(
  ctx: ChannelContext,
  channelId: string,
  place: SentPlace,
  file: OutgoingFile,
): Promise<FileRefusal | undefined> {
  ctx.callSignal();
  await countAttempt(ctx, place, file.id, 1);
  const { name, size } = file;
  try {
    const source = contentOf(ctx, file);
    // It takes longer than a lease. Whoever takes over sends it again, and nobody sees this one.
    const externalId = await ctx.provider.upload(channelId, { name, size, source }, ctx.signal);
    await saveUploaded(ctx, place, file.id, externalId);
    return undefined;
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (isChatFailure(error, 'rate_limited')) await countAttempt(ctx, place, file.id, -1);
    const refusal = refusalOf(error, file.attempts + 1 >= MOST_ATTEMPTS);
    if (refusal === undefined) throw error;
    ctx.log.warn({ ...place, fileId: file.id, err: error }, 'a file stays a link in its channel');
    return refusal;
  }
}

/** Undefined if it may work later, or if nothing works there any more. */
function refusalOf(error: unknown, isLast: boolean): FileRefusal | undefined {
  if (error instanceof StorageMissing) return 'MISSING';
  if (isChatFailure(error, 'too_large')) return 'TOO_LARGE';
  if (isChatFailure(error, 'unauthorized', 'not_in_channel', 'rate_limited')) return undefined;
  if (error instanceof ChatFailure && error.code !== 'temporary') return 'REFUSED';
  return isLast ? 'FAILED' : undefined;
}

/** Opened when the first byte is wanted, so that nothing stays open if the call is refused before. */
async function* contentOf(
  ctx: ChannelContext,
  file: OutgoingFile,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* await openContent(ctx, file);
}
