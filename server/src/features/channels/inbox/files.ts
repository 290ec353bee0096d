import { ChatFailure, type ChatFile, type ChatMessage } from '../../../adapters/chat/provider.ts';
import { StorageUnavailable } from '../../../adapters/storage/storage.ts';
import { AppError } from '../../../core/errors.ts';
import { dropHiddenCharacters } from '../../../core/hidden-characters.ts';
import { storeFile } from '../../files/service.ts';
import type { ChannelContext } from '../channel-context.ts';
import type { MappingRow } from '../mappings/store.ts';

/** As many as a message has here. The others stay links. */
const MOST_FILES = 10;
const LONGEST_NAME = 255;

export interface TakenFiles {
  fileIds: string[];
  /** Without those that were taken. What stays a link says why. */
  text: string;
}

/**
 * Stores the files of a message that is new here. If the process ends before the message is posted, nothing refers to
 * them, and they are deleted after a day.
 */
export async function takeFiles(
  ctx: ChannelContext,
  { projectId }: MappingRow,
  { text, files = [] }: Pick<ChatMessage, 'text' | 'files'>,
  uploadedById: string | null,
): Promise<TakenFiles> {
  const taken: TakenFiles = { fileIds: [], text };
  for (const file of files.slice(0, MOST_FILES)) {
    const found = await takeFile(ctx, projectId, file, uploadedById);
    if ('id' in found) {
      taken.fileIds.push(found.id);
      taken.text = withoutShown(taken.text, [file]);
    } else taken.text = taken.text.replace(file.shown, () => `${file.shown} *(${found.why})*`);
  }
  return taken;
}

async function takeFile(
  ctx: ChannelContext,
  projectId: string,
  file: ChatFile,
  uploadedById: string | null,
): Promise<{ id: string } | { why: string }> {
  const { size, mediaType } = file;
  if (size > ctx.fileLimits.maxBytes) return { why: 'Too large to be brought here.' };
  try {
    ctx.callSignal();
    const source = await ctx.provider.download(file, ctx.signal);
    const name = nameOf(file.name);
    const by = { uploadedById, uploadedByAgent: null };
    return await storeFile(ctx, { projectId, name, mediaType, size, source, ...by });
  } catch (error) {
    ctx.signal.throwIfAborted();
    // The message matters more, and is not sent twice.
    const known = [ChatFailure, AppError, StorageUnavailable];
    if (!known.some((kind) => error instanceof kind)) throw error;
    ctx.log.warn({ err: error, projectId }, 'a file of a chat channel stays there');
    const isFull = error instanceof AppError && error.details?.['reason'] === 'quota_reached';
    return {
      why: isFull ? 'No room for it here.' : 'It could not be brought here.',
    };
  }
}

/** The text without the files that the message has here. */
export function withoutShown(text: string, files: readonly Pick<ChatFile, 'shown'>[]): string {
  const shown = new Set(files.map((file) => file.shown));
  return text
    .split('\n\n')
    .filter((part) => !shown.has(part))
    .join('\n\n');
}

/** A name that people may give here too. Whoever named it can't be asked to correct it. */
export function nameOf(name: string): string {
  const clean = dropHiddenCharacters(name.toWellFormed())
    .replaceAll(/[/\\\p{Cc}]/gu, '_')
    .trim();
  const short = Array.from(clean).slice(0, LONGEST_NAME).join('');
  return /^\.{0,2}$/.test(short) ? 'file' : short;
}
