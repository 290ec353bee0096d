import type { PageOfSource, TextSource } from '../documents/text-source.ts';
import { Pause } from '../documents/text-source.ts';
import type { ReaderLimits } from '../limits.ts';
import { NotTheFile } from '../reasons.ts';
import type { DrawnPdf } from './drawn-pdf.ts';
import { openPdf, type Pdf } from './open-pdf.ts';
import type { TextItem } from './page-lines.ts';
import { textOfPage, type LetterSizes } from './page-text.ts';

export interface PdfWork {
  from: number;
  readsScans: boolean;
  scansLeft: number;
  /** Null if there is no data for it on this machine. */
  readScan: ((drawn: DrawnPdf, page: number) => Promise<string>) | null;
}

/** A document that is being read, by two libraries: one for its text, one for what can only be seen. */
interface Reading extends PdfWork {
  pdf: Pdf;
  /** Opened when the first page comes that may be a scan. */
  drawn: () => Promise<DrawnPdf>;
}

/** The text of each page, or what OCR makes of it if it is a scan. */
export async function readPdf(
  path: string,
  work: PdfWork,
  limits: ReaderLimits,
): Promise<TextSource> {
  const pdf = await openPdf(path, limits);
  return { pages: pdf.numPages, texts: pagesOf(path, pdf, work, limits) };
}

async function* pagesOf(
  path: string,
  pdf: Pdf,
  work: PdfWork,
  limits: ReaderLimits,
): AsyncGenerator<PageOfSource> {
  const started = performance.now();
  const sizes: LetterSizes = new Map();
  const last = Math.min(pdf.numPages, limits.pages);
  let { scansLeft } = work;
  let opened: Promise<DrawnPdf> | undefined;
  const drawn = () => (opened ??= openDrawn(path, limits));
  try {
    const fields = await fieldsByPage(pdf);
    for (let number = work.from; number <= last; number++) {
      if (number > work.from && performance.now() - started > limits.sliceMs)
        throw new Pause('LATER');
      const read = await readPage({ ...work, pdf, drawn, scansLeft }, number, sizes);
      if (read.isScanned) scansLeft--;
      const filled = fields.get(number) ?? [];
      yield { ...read, text: [read.text, ...filled].filter(Boolean).join('\n') };
    }
  } finally {
    await pdf.loadingTask.destroy();
    await opened?.then(
      (one) => one.close(),
      () => {},
    );
  }
}

async function openDrawn(path: string, limits: ReaderLimits): Promise<DrawnPdf> {
  const { openDrawnPdf } = await import('./drawn-pdf.ts');
  return openDrawnPdf(path, limits);
}

async function readPage(
  reading: Reading,
  number: number,
  sizes: LetterSizes,
): Promise<PageOfSource> {
  try {
    const page = await reading.pdf.getPage(number);
    try {
      const { items } = await page.getTextContent();
      const written = items.filter((item): item is typeof item & TextItem => 'str' in item);
      return await textOrScan(reading, number, textOfPage(written, sizes));
    } finally {
      page.cleanup();
    }
  } catch (error) {
    if (error instanceof Pause || error instanceof NotTheFile) throw error;
    return { page: number, text: '', isScanned: false, problem: 'UNREAD' };
  }
}

async function textOrScan(
  { drawn, readsScans, readScan, scansLeft }: Reading,
  number: number,
  text: string,
): Promise<PageOfSource> {
  const plain = { page: number, text, isScanned: false };
  const length = text.replaceAll(/\s/g, '').length;
  if (length >= LITTLE_TEXT) return plain;
  const seen = await drawn().catch(() => null);
  if (!seen) return text === '' ? { ...plain, problem: 'UNREAD' } : plain;
  if (!isScan(seen, number, length)) return plain;
  if (!readScan) return { ...plain, problem: 'NO_OCR' };
  if (scansLeft <= 0) return { ...plain, problem: 'TOO_MANY_SCANS' };
  if (!readsScans) throw new Pause('SCANNED');
  const recognized = await readScan(seen, number);
  // A picture that can't be unpacked is left out of the page, which must not count as empty.
  if (recognized === '' && seen.hasUnknownPicture(number)) {
    return { ...plain, problem: 'UNREAD' };
  }
  // Some programs write the date or their own name on each scan.
  const isMore = recognized.length >= text.length;
  return { page: number, text: isMore ? recognized : text, isScanned: true };
}

/** A page with less text may be a scan. */
const LITTLE_TEXT = 100;
const NO_TEXT = 16;
/** Letters that were drawn as shapes take many. */
const MANY_SHAPES = 20;

function isScan(drawn: DrawnPdf, page: number, length: number): boolean {
  const { pictures, shapes } = drawn.contentOf(page);
  return pictures > 0 || (length < NO_TEXT && shapes > MANY_SHAPES);
}

/** What people filled in. It is not part of the text. */
async function fieldsByPage(pdf: Pdf): Promise<ReadonlyMap<number, string[]>> {
  const lines = new Map<number, string[]>();
  const fields = await pdf.getFieldObjects().catch(() => null);
  for (const [name, objects] of Object.entries(fields ?? {})) {
    for (const field of objects as { page?: number; value?: unknown; type?: string }[]) {
      const isFilled = typeof field.value === 'string' && field.value.trim() !== '';
      if (!isFilled || field.type === 'button' || field.page === undefined) continue;
      const line = `${name}: ${String(field.value).replaceAll(/\s+/g, ' ')}`;
      const number = field.page + 1;
      lines.set(number, [...(lines.get(number) ?? []), line]);
    }
  }
  return lines;
}
