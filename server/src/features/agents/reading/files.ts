import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../core/context.ts';
import {
  listAttachedTexts,
  readBeginning,
  type AttachedText,
  type FoundPassage,
  type PageRow,
} from '../../documents/service.ts';
import type { Question } from '../../messages/replies/service.ts';
import { shareFairly } from './budget.ts';
import { documentReader, findInDocuments } from './sources.ts';

/** How much of all files together a prompt includes, at about four characters per token. */
const FILE_CHARACTERS = 24_000;
/** Of more, only the names are shown. */
const MOST_SHOWN = 12;
/** A text that does not fit is shown from its beginning, and the rest of its share is what matches the question. */
const BEGINNING = 0.3;
const PASSAGES_PER_FILE = 8;
/** Passages are about so long. */
const USUAL_PASSAGE = 1_200;

/** A file with as much of its text as there is room for. */
export interface ShownFile {
  file: AttachedText;
  isWhole: boolean;
  /** In the order of the text. A page may come more than once. */
  parts: PageRow[];
}

/** With what is known of their texts: of the question first, then the latest. Each file once. */
export async function listFiles(
  ctx: Context,
  question: Question,
  messageIds: readonly string[],
): Promise<AttachedText[]> {
  const reader = documentReader(ctx.orgId, question);
  const found = await listAttachedTexts(ctx, reader, messageIds);
  const placeOf = new Map(messageIds.map((id, at) => [id, at]));
  const inOrder = found.toSorted(
    (a, b) => (placeOf.get(a.messageId) ?? 0) - (placeOf.get(b.messageId) ?? 0),
  );
  return inOrder;
}

export interface WaitLimits {
  signal?: AbortSignal | undefined;
  /** Somebody has stopped the reply. */
  stop?: AbortSignal | undefined;
}

/** How long a reply waits for texts that are still being read. */
const WAIT_MS = 30_000;
const LOOK_EVERY_MS = 400;

/** Waits until the texts of these messages' files are read. Holds nothing of the database meanwhile. */
export async function waitForTexts(
  ctx: Context,
  question: Question,
  messageIds: readonly string[],
  limits: WaitLimits = {},
): Promise<void> {
  const { signal } = limits;
  const endsAt = performance.now() + WAIT_MS;
  const reader = documentReader(ctx.orgId, question);
  while (performance.now() < endsAt && !limits.stop?.aborted) {
    const files = await listAttachedTexts(ctx, reader, messageIds);
    if (!files.some(isUnread)) return;
    await sleep(LOOK_EVERY_MS, undefined, signal ? { signal } : {});
  }
}

export function isUnread({ status, textStatus }: AttachedText): boolean {
  return status === 'CHECKING' || textStatus === 'PENDING';
}

/** Whether there is text of it that is not shown. */
export function isInPart({ file, isWhole }: ShownFile): boolean {
  return isUnread(file) || (file.documentId !== null && !isWhole);
}

/** The texts, within one budget for all of them. */
export async function showFiles(
  ctx: Context,
  question: Question,
  files: readonly AttachedText[],
  query: string,
): Promise<ShownFile[]> {
  const distinct = [...new Map(files.map((file) => [file.id, file])).values()];
  const withText = distinct.filter(({ documentId }) => documentId !== null).slice(0, MOST_SHOWN);
  const shares = shareFairly(
    withText.map(({ characters }) => characters),
    FILE_CHARACTERS,
  );
  const shareOf = new Map(withText.map(({ id }, at) => [id, shares[at] ?? 0]));
  const long = withText.filter(({ id, characters }) => characters > (shareOf.get(id) ?? 0));
  const passages =
    query === '' || long.length === 0 ? [] : await findMatching(ctx, question, long, query);
  return Promise.all(
    distinct.map(async (file): Promise<ShownFile> => {
      const share = shareOf.get(file.id);
      if (share === undefined) return { file, isWhole: false, parts: [] };
      const isWhole = file.characters <= share;
      const own = passages.filter(({ document }) => document.fileId === file.id);
      const first = isWhole || own.length === 0 ? share : Math.floor(share * BEGINNING);
      const beginning = fit(await readBeginning(ctx, file.id, Math.max(1, first)), first);
      return {
        file,
        isWhole,
        parts: isWhole ? beginning : addMatching(beginning, own, share - first),
      };
    }),
  );
}

function findMatching(
  ctx: Context,
  question: Question,
  files: readonly AttachedText[],
  query: string,
): Promise<FoundPassage[]> {
  const limit = Math.ceil(FILE_CHARACTERS / USUAL_PASSAGE) + files.length;
  const fileIds = files.map(({ id }) => id);
  return findInDocuments(ctx, question, { query, limit, perDocument: PASSAGES_PER_FILE, fileIds });
}

function fit(pages: readonly PageRow[], room: number): PageRow[] {
  let left = room;
  return pages.flatMap(({ page, text }) => {
    const shown = text.slice(0, Math.max(0, left)).toWellFormed();
    left -= text.length;
    return shown === '' ? [] : [{ page, text: shown }];
  });
}

/** The best ones that fit, without what the beginning has already, in the order of the text. */
function addMatching(
  beginning: PageRow[],
  matching: readonly FoundPassage[],
  room: number,
): PageRow[] {
  const shown = new Map(beginning.map(({ page, text }) => [page, text]));
  let left = room;
  const added = matching
    .map(({ passage }) => passage)
    .filter(({ page, text }) => !shown.get(page)?.includes(text))
    .filter(({ text }) => {
      const fits = text.length <= left;
      if (fits) left -= text.length;
      return fits;
    })
    .toSorted((a, b) => a.page - b.page || a.start - b.start);
  return [...beginning, ...added.map(({ page, text }) => ({ page, text }))];
}
