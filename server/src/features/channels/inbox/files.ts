import {
  ChatFailure,
  isChatFailure,
  withoutMarks,
  type ChatFile,
  type ChatMessage,
} from '../../../adapters/chat/provider.ts';
import { StorageUnavailable } from '../../../adapters/storage/storage.ts';
import type { Context } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { dropHiddenCharacters } from '../../../core/hidden-characters.ts';
import { storeFile } from '../../files/service.ts';
import type { ChannelContext } from '../channel-context.ts';
import type { MappingRow } from '../mappings/store.ts';
import type { LateFile } from './late/store.ts';

/** As many as a message has here. The others stay links. */
const MOST_FILES = 10;
const LONGEST_NAME = 255;

export interface TakenFiles {
  fileIds: string[];
  /** Those that may come later. */
  late: LateFile[];
  /** Without those that were taken. What stays a link says why. */
  text: string;
}

export const IS_LATE = 'It is being brought here.';
export const NEVER_CAME = 'It could not be brought here.';
const NO_ROOM = 'No room for it here.';

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
  const taken: TakenFiles = { fileIds: [], late: [], text };
  for (const [position, file] of files.slice(0, MOST_FILES).entries()) {
    const found = await takeFile(ctx, projectId, file, uploadedById);
    if ('id' in found) {
      taken.fileIds.push(found.id);
      taken.text = withoutShown(taken.text, [file]);
      continue;
    }
    if (found.mayCome) taken.late.push({ ...file, shown: withoutMarks(file.shown), position });
    const why = found.mayCome ? IS_LATE : found.why;
    taken.text = taken.text.replace(file.shown, () => `${file.shown} *(${why})*`);
  }
  return taken;
}

async function takeFile(
  ctx: ChannelContext,
  projectId: string,
  file: ChatFile,
  uploadedById: string | null,
): Promise<{ id: string } | { why: string; mayCome: boolean }> {
  if (file.size > ctx.fileLimits.maxBytes) {
    return { why: 'Too large to be brought here.', mayCome: false };
  }
  try {
    ctx.callSignal();
    return await fetchFile(ctx, ctx, { ...file, projectId, uploadedById });
  } catch (error) {
    ctx.signal.throwIfAborted();
    // The message matters more, and is not sent twice.
    const known = [ChatFailure, AppError, StorageUnavailable];
    if (!known.some((kind) => error instanceof kind)) throw error;
    ctx.log.warn({ err: error, projectId }, 'a file of a chat channel could not be fetched');
    return { why: NEVER_CAME, mayCome: mayPass(error) };
  }
}

/** Brings the bytes here. */
export async function fetchFile(
  ctx: Context,
  { provider, signal }: Pick<ChannelContext, 'provider' | 'signal'>,
  {
    projectId,
    uploadedById,
    ...file
  }: ChatFile & { projectId: string; uploadedById: string | null },
): Promise<{ id: string }> {
  const { name, mediaType, size } = file;
  const source = await provider.download(file, signal);
  const by = { uploadedById, uploadedByAgent: null };
  return storeFile(ctx, { projectId, name: nameOf(name), mediaType, size, source, ...by });
}

/** Whether the same file may be fetched later: it is there, and there will be room for it here. */
export function mayPass(error: unknown): boolean {
  if (error instanceof ChatFailure) return isChatFailure(error, 'temporary', 'rate_limited');
  return error instanceof StorageUnavailable || isFull(error);
}

function isFull(error: unknown): boolean {
  return error instanceof AppError && error.details?.['reason'] === 'quota_reached';
}

export function whyNever(error: unknown): string {
  return isFull(error) || (error instanceof StorageUnavailable && error.isFull)
    ? NO_ROOM
    : NEVER_CAME;
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
