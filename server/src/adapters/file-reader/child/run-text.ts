import { openText } from '../documents/open-text.ts';
import { Pause, type PageOfSource, type TextSource } from '../documents/text-source.ts';
import type { ReaderLimits } from '../limits.ts';
import type { ReadPage, TextResult, Work } from '../protocol.ts';
import { NotTheFile, REASONS, Unreadable } from '../reasons.ts';

export interface Pages {
  opened(pages: number | null): void;
  /** Resolves when the page is stored: to false if no more are wanted. */
  send(page: ReadPage): Promise<boolean>;
}

export async function runText(
  work: Extract<Work, { kind: 'text' }>,
  limits: ReaderLimits,
  pages: Pages,
): Promise<TextResult> {
  try {
    const source = await openText(work, limits);
    pages.opened(source.pages);
    return await sendAll(source, work.from, limits, pages);
  } catch (error) {
    if (error instanceof Unreadable) {
      return { kind: 'text', status: error.status, reason: error.message, pages: null };
    }
    if (error instanceof Pause) {
      return { kind: 'text', status: error.status, reason: null, pages: null };
    }
    if (isOfThisMachine(error)) throw error;
    return { kind: 'text', status: 'FAILED', reason: REASONS.damaged, pages: null };
  }
}

async function sendAll(
  source: TextSource,
  from: number,
  limits: ReaderLimits,
  pages: Pages,
): Promise<TextResult> {
  let last = 0;
  let length = 0;
  const done = (reason: string | null): TextResult => ({
    kind: 'text',
    status: 'DONE',
    reason,
    pages: source.pages ?? last,
  });
  for await (const page of source.texts) {
    last = page.page;
    if (page.page > limits.pages) {
      last = limits.pages;
      return done(REASONS.firstPages(limits.pages));
    }
    length += page.text.length;
    if (page.page >= from) {
      const isWanted = await pages.send(prepared(page, source.pages, limits));
      if (!isWanted || length > limits.textLength)
        return done(REASONS.firstCharacters(limits.textLength));
    }
  }
  const isCut = (source.pages ?? 0) > limits.pages;
  return done(isCut ? REASONS.firstPages(limits.pages) : (source.note?.() ?? null));
}

function prepared(page: PageOfSource, pages: number | null, limits: ReaderLimits): ReadPage {
  const text = tidy(page.text);
  if (text.length <= limits.pageLength) return { ...page, text, pages };
  return { ...page, text: text.slice(0, limits.pageLength).toWellFormed(), pages, problem: 'CUT' };
}

// oxlint-disable-next-line no-control-regex -- they are what it removes
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f]/g;

/** Text that any database and any JSON reader takes, without the white space that nobody sees. */
function tidy(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(CONTROLS, '')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd()
    .toWellFormed();
}

/** The file is gone, or the disk fails: it may be read later. */
function isOfThisMachine(error: unknown): boolean {
  if (error instanceof NotTheFile) return true;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^E(?:NOENT|ACCES|PERM|IO|MFILE|NFILE|NOSPC|NOMEM|AGAIN)$/.test(code);
}
