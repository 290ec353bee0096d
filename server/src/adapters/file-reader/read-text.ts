import { kindOf } from './documents/kind-of.ts';
import type { FileToRead, PageText, TextOutcome } from './file-reader.ts';
import { ProcessDied, type Lane } from './lane.ts';
import type { ReaderLimits } from './limits.ts';
import type { InstalledOcr } from './ocr-languages.ts';
import type { ReadPage, TextResult } from './protocol.ts';
import { REASONS } from './reasons.ts';

interface Readers {
  lanes: { text: Lane; ocr: Lane };
  limits: ReaderLimits;
  ocr: InstalledOcr;
}

interface Options {
  from: number;
  signal: AbortSignal | undefined;
}

/** After so many pages at which the process died, a document is given up. */
const MOST_DEATHS = 3;

/** What is known of a document while its turns come. */
function createProgress(from: number, onPage: (page: PageText) => Promise<void>) {
  return {
    next: from,
    pages: null as number | null,
    hasText: from > 1,
    scans: 0,
    length: 0,
    deaths: 0,
    crashedAt: undefined as number | undefined,
    unread: [] as number[],
    problems: new Set<ReadPage['problem']>(),
    usedMs: { text: 0, ocr: 0 },
    async store({ problem, ...page }: ReadPage): Promise<void> {
      // What a process of strangers' files sends is not taken for granted.
      if (page.page < this.next) return;
      this.next = page.page + 1;
      this.hasText ||= page.text !== '';
      this.scans += page.isScanned ? 1 : 0;
      this.length += page.text.length;
      if (problem === 'UNREAD') this.unread.push(page.page);
      this.problems.add(problem);
      await onPage(page);
    },
  };
}

type Progress = ReturnType<typeof createProgress>;

/**
 * Reads with the process for text until a page is a scan, and from there on with the one for OCR. Long documents give
 * way to others after each turn. A page at which the process dies is left out.
 */
export async function readText(
  readers: Readers,
  file: FileToRead,
  onPage: (page: PageText) => Promise<void>,
  { from, signal }: Options,
): Promise<TextOutcome> {
  const kind = kindOf(file);
  const { data, missing } = readers.ocr;
  const failed = (reason: string): TextOutcome => ({ status: 'FAILED', reason, pages: null });
  if (kind === undefined) return failed(REASONS.notSupported);
  if (kind === 'picture' && !data) return failed(REASONS.noOcr(missing.join('+')));
  const progress = createProgress(from, onPage);
  let name: 'text' | 'ocr' = kind === 'picture' ? 'ocr' : 'text';
  for (;;) {
    const ended = await takeTurn(readers, name, file, progress, signal);
    if (ended.status === 'SCANNED') name = 'ocr';
    else if (ended.status !== 'LATER') return outcome(ended, progress, readers, kind === 'picture');
  }
}

async function takeTurn(
  { lanes, limits, ocr }: Readers,
  name: 'text' | 'ocr',
  file: FileToRead,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<TextResult> {
  const withinMs = (name === 'ocr' ? limits.ocrMs : limits.textMs) - progress.usedMs[name];
  const work = {
    kind: 'text',
    file,
    from: progress.next,
    readsScans: name === 'ocr',
    scansLeft: limits.ocrPages - progress.scans,
    ocr: ocr.data,
  } as const;
  try {
    return await lanes[name].run(work, {
      signal,
      withinMs,
      onUsed: (ms) => void (progress.usedMs[name] += ms),
      onOpened: (pages) => void (progress.pages = pages),
      async onPage(page) {
        await progress.store(page);
        return progress.length <= limits.textLength;
      },
    });
  } catch (error) {
    if (error instanceof ProcessDied) return afterDeath(error, progress);
    throw error;
  }
}

const WHY: Readonly<Record<ProcessDied['why'], string>> = {
  TIME: REASONS.tooLong,
  STEP: REASONS.tooLong,
  MEMORY: REASONS.tooMuchMemory,
  CRASH: REASONS.crashed,
};

/** The page that killed a process, twice if it crashed, is left out, unless there were too many of them. */
async function afterDeath(died: ProcessDied, progress: Progress): Promise<TextResult> {
  const { next, pages, hasText } = progress;
  // Somebody else may have ended it, such as the system when its memory runs out.
  if (died.why === 'CRASH' && progress.crashedAt !== next) {
    progress.crashedAt = next;
    return { kind: 'text', status: 'LATER', reason: null, pages };
  }
  const isPageAtFault = pages !== null && next <= pages;
  if (isPageAtFault && died.why !== 'TIME' && progress.deaths < MOST_DEATHS) {
    progress.deaths++;
    // It was opened before, so another try is worth it.
    if (!died.wasOpened) return { kind: 'text', status: 'LATER', reason: null, pages };
    await progress.store({ page: next, pages, text: '', isScanned: false, problem: 'UNREAD' });
    return { kind: 'text', status: next === pages ? 'DONE' : 'LATER', reason: null, pages };
  }
  const isPart = isPageAtFault && hasText;
  const reason = isPart ? REASONS.stoppedAt(next) : WHY[died.why];
  return { kind: 'text', status: isPart ? 'DONE' : 'FAILED', reason, pages };
}

function outcome(
  ended: TextResult,
  progress: Progress,
  { limits, ocr }: Readers,
  isPicture: boolean,
): TextOutcome {
  const pages = ended.pages ?? progress.pages;
  if (ended.status === 'EMPTY') return { status: 'EMPTY', reason: ended.reason, pages };
  if (ended.status !== 'DONE') return { status: 'FAILED', reason: ended.reason, pages };
  const { problems, unread, hasText } = progress;
  const reasons = [
    ended.reason,
    unread.length > 0 && REASONS.unreadPages(unread),
    problems.has('NO_OCR') && REASONS.noOcr(ocr.missing.join('+')),
    problems.has('TOO_MANY_SCANS') && REASONS.firstScannedPages(limits.ocrPages),
    problems.has('CUT') && REASONS.longPages,
  ].filter((reason) => typeof reason === 'string');
  const reason = reasons.join(' ') || null;
  if (hasText) return { status: 'READY', reason, pages };
  if (reason !== null) return { status: 'FAILED', reason, pages };
  const empty = isPicture ? REASONS.noTextInPicture : REASONS.noText;
  return { status: 'EMPTY', reason: empty, pages };
}
