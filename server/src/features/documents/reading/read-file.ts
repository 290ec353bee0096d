import type { PageText } from '../../../adapters/file-reader/file-reader.ts';
import { withTransaction, type Context, type SystemActor } from '../../../core/context.ts';
import { newId } from '../../../core/ids.ts';
import { emit } from '../../../events/emit.ts';
import { inTurns } from '../../../text/words/in-turns.ts';
import { languageOfText } from '../../../text/words/terms.ts';
import { withLocalCopy } from '../../files/service.ts';
import { indexWords } from '../../memory/service.ts';
import { cutPassages } from '../cut-passages.ts';
import { enqueuePassages } from '../embedding/job.ts';
import { indexedText } from '../embedding/indexed-text.ts';
import { deleteTextAtCommit } from '../store.ts';
import { HELD_MS } from './timing.ts';
import {
  findProgress,
  holdLonger,
  insertPageAtCommit,
  lockReading,
  saveOutcomeAtCommit,
  type IndexedPassage,
  type Progress,
  type ReadFile,
  type ReadOutcome,
} from './store.ts';

type SystemContext = Context<SystemActor>;

/** Somebody else reads the file now, or it was deleted. */
class Lost extends Error {}

const GAVE_UP: ReadOutcome = {
  status: 'FAILED',
  reason: 'The server failed too many times while it read this file.',
  pages: null,
};

/**
 * Reads a file from where its last reading ended. Each page is stored with its passages before the next one
 * is read. If it fails and `isLast` is set, the text is FAILED; otherwise it throws.
 */
export async function readFileText(
  ctx: SystemContext,
  file: ReadFile,
  token: string,
  { signal, isLast }: { signal: AbortSignal; isLast: boolean },
): Promise<void> {
  const lost = new AbortController();
  const renewing = setInterval(() => {
    const until = new Date(ctx.clock.now().getTime() + HELD_MS);
    void holdOn(ctx, file, { token, until }, lost);
  }, HELD_MS / 4).unref();
  try {
    const either = AbortSignal.any([signal, lost.signal]);
    const outcome = await readPages(ctx, file, token, either);
    await finish(ctx, file, token, outcome);
  } catch (error) {
    if (error instanceof Lost || lost.signal.aborted) return;
    if (signal.aborted || !isLast) throw error;
    ctx.log.error({ fileId: file.id, err: error }, 'text could not be read');
    await finish(ctx, file, token, GAVE_UP);
  } finally {
    clearInterval(renewing);
  }
}

/** Aborts the reading if somebody else has taken it over, or the file is gone. */
async function holdOn(
  ctx: SystemContext,
  file: ReadFile,
  hold: { token: string; until: Date },
  lost: AbortController,
): Promise<void> {
  try {
    if (!(await holdLonger(ctx, file.id, hold))) lost.abort(new Lost());
  } catch (error) {
    ctx.log.warn({ err: error }, 'could not hold a file that is being read');
  }
}

async function readPages(
  ctx: SystemContext,
  file: ReadFile,
  token: string,
  signal: AbortSignal,
): Promise<ReadOutcome> {
  const { mediaType, name } = file;
  let progress = await findProgress(ctx, file.id);
  return withLocalCopy(ctx, file, (path) =>
    ctx.fileReader.readText(
      { path, mediaType, name },
      async (page) => {
        signal.throwIfAborted();
        progress = await storePage(ctx, file, token, { page, progress });
      },
      { from: progress.page + 1, signal },
    ),
  );
}

/** Returns how far the file is read now. */
async function storePage(
  ctx: SystemContext,
  file: ReadFile,
  token: string,
  { page, progress }: { page: PageText; progress: Progress },
): Promise<Progress> {
  if (page.page <= progress.page) return progress;
  // The database refuses both.
  const text = page.text.replaceAll('\0', '').toWellFormed();
  const cut = await inTurns(ctx.orgId, cutPassages(text, progress.heading));
  const passages: IndexedPassage[] = [];
  for (const passage of cut.passages) {
    const words = await indexWords(ctx.orgId, indexedText(passage), null);
    const position = progress.passages + passages.length;
    passages.push({ ...passage, position, terms: words.terms.shared, weights: words.weights });
  }
  const documentId = progress.documentId ?? newId();
  const document = { id: documentId, projectId: file.projectId, language: languageOfText(text) };
  await withTransaction(ctx, async (inner) => {
    if (!(await lockReading(inner, file.id, token))) throw new Lost();
    insertPageAtCommit(inner, {
      ...page,
      text,
      fileId: file.id,
      document,
      passages,
      now: ctx.clock.now(),
    });
    if (passages.length > 0) enqueuePassages(inner);
  });
  return {
    page: page.page,
    documentId,
    passages: progress.passages + passages.length,
    heading: cut.heading,
  };
}

async function finish(
  ctx: SystemContext,
  { id: fileId, projectId }: ReadFile,
  token: string,
  outcome: ReadOutcome,
): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    if (!(await lockReading(inner, fileId, token))) throw new Lost();
    if (outcome.status !== 'READY') deleteTextAtCommit(inner, fileId);
    saveOutcomeAtCommit(inner, fileId, outcome, ctx.clock.now());
    emit(inner, { type: 'file.updated', projectId, fileId, fields: ['text'] });
  });
}
