import { inertName } from '../../../../adapters/chat/inert-name.ts';
import { ChatFailure, isChatFailure } from '../../../../adapters/chat/provider.ts';
import type { ChannelContext } from '../../channel-context.ts';
import type { MappingRow } from '../../mappings/store.ts';
import {
  forgetSent,
  listLeft,
  markNotShown,
  markShowing,
  refuseFiles,
  saveShown,
  type FileRefusal,
  type OutgoingFile,
  type SentPlace,
} from './store.ts';

/** Chat systems take some seconds to show a file. Not shown after this time, it never arrived. */
const SHOWN_WITHIN_MS = 30_000;
const KIBIBYTE = 1024;

const REASONS: Record<FileRefusal, string> = {
  TOO_LARGE: ': too large to be sent here',
  CHECKING: ': still being checked',
  MISSING: ': not available',
  REFUSED: ': not accepted here',
  FAILED: ': it could not be sent here',
};

/** The ids there of those that the channel has, or will have with the message. */
export function sentIds(files: readonly OutgoingFile[]): string[] {
  return files.flatMap(({ externalId, refusal }) =>
    externalId !== null && refusal === null ? [externalId] : [],
  );
}

/** What the text says about files: those that stay here are links, whose readers are decided here. */
export function textOfFiles(
  files: readonly OutgoingFile[],
  link: string,
  { namesSent }: { namesSent: boolean },
): string[] {
  return files.flatMap(({ name, size, externalId, refusal }) => {
    const label = inertName(name) || 'File';
    if (externalId !== null && refusal === null) return namesSent ? [`📎 ${label}`] : [];
    const why = refusal === null ? '' : REASONS[refusal];
    return [`📎 [${label}](${link}) *(${shownSize(size)}, in Atrium${why})*`];
  });
}

function shownSize(size: number): string {
  const kilobytes = Math.ceil(size / KIBIBYTE);
  return kilobytes < KIBIBYTE ? `${kilobytes} KB` : `${Math.ceil(kilobytes / KIBIBYTE)} MB`;
}

/**
 * Shows the message's files in its thread, where a post can't bring them. Returns false if the chat system refuses
 * them: they are links from now on.
 */
export async function showInThread(
  ctx: ChannelContext,
  { channelId }: Pick<MappingRow, 'channelId'>,
  place: SentPlace,
  { files, threadId }: { files: readonly OutgoingFile[]; threadId: string },
): Promise<boolean> {
  const { threadFiles } = ctx.provider;
  const waiting = files.filter(({ isShown }) => !isShown);
  const ids = sentIds(waiting);
  const [firstId] = ids;
  if (!threadFiles || firstId === undefined) return true;
  const triedMs = waiting.find(({ shownForMs }) => shownForMs !== null)?.shownForMs ?? null;
  try {
    const isThere =
      triedMs !== null && (await threadFiles.isShared(channelId, firstId, ctx.callSignal()));
    if (!isThere) {
      if (triedMs !== null && triedMs < SHOWN_WITHIN_MS) throw new StillUnknown();
      const signal = ctx.callSignal();
      await markShowing(ctx, place);
      await threadFiles.share({ channelId, threadId }, ids, signal);
    }
    await saveShown(ctx, place);
    return true;
  } catch (error) {
    if (triedMs === null && isChatFailure(error, 'rate_limited')) await markNotShown(ctx, place);
    if (!isChatFailure(error, 'rejected', 'forbidden', 'not_found')) throw error;
    ctx.log.warn({ ...place, err: error }, 'the chat system refused files of a message');
    await refuseFiles(
      ctx,
      place,
      waiting.map(({ id }) => id),
      'REFUSED',
    );
    return false;
  }
}

class StillUnknown extends ChatFailure {
  constructor() {
    super('temporary', 'the chat system may still be about to show the files');
  }
}

/** Deletes there what the message no longer has here. Where posts bring files, they go with a post that is deleted. */
export async function removeLeft(
  ctx: ChannelContext,
  { channelId }: Pick<MappingRow, 'channelId'>,
  place: SentPlace,
  post: { externalId: string | null; isDeleted: boolean; files: readonly OutgoingFile[] },
): Promise<void> {
  const left = await listLeft(ctx, place);
  if (left.length === 0) return;
  const { provider } = ctx;
  if (post.externalId !== null && !post.isDeleted) {
    await provider.keepFiles?.(post.externalId, sentIds(post.files), ctx.callSignal());
  }
  const isLast = sentIds(post.files).length === 0;
  for (const { fileId, externalId } of left) {
    if (externalId !== null) {
      if (isLast) await provider.threadFiles?.hide(channelId, externalId, ctx.callSignal());
      await provider.threadFiles?.remove(externalId, ctx.callSignal());
    }
    await forgetSent(ctx, place, fileId);
  }
}
