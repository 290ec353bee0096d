import { getResolvedPDFJS } from 'unpdf';
import type { PageOfSource, TextSource } from '../documents/text-source.ts';
import { Pause } from '../documents/text-source.ts';
import type { ReaderLimits } from '../limits.ts';
import { NotTheFile } from '../reasons.ts';
import { openPdf, type Pdf, type PdfPage } from './open-pdf.ts';
import type { TextItem } from './page-lines.ts';
import { textOfPage, type LetterSizes } from './page-text.ts';

export interface PdfWork {
  from: number;
  readsScans: boolean;
  scansLeft: number;
  /** Null if there is no data for it on this machine. */
  readScan: ((page: PdfPage) => Promise<string>) | null;
}

/** The text of each page, or what OCR makes of it if it is a scan. */
export async function readPdf(
  path: string,
  work: PdfWork,
  limits: ReaderLimits,
): Promise<TextSource> {
  const pdf = await openPdf(path, limits);
  return { pages: pdf.numPages, texts: pagesOf(pdf, work, limits) };
}

async function* pagesOf(
  pdf: Pdf,
  work: PdfWork,
  limits: ReaderLimits,
): AsyncGenerator<PageOfSource> {
  const started = performance.now();
  const sizes: LetterSizes = new Map();
  const last = Math.min(pdf.numPages, limits.pages);
  let { scansLeft } = work;
  try {
    const fields = await fieldsByPage(pdf);
    for (let number = work.from; number <= last; number++) {
      if (number > work.from && performance.now() - started > limits.sliceMs)
        throw new Pause('LATER');
      const read = await readPage(pdf, number, sizes, { ...work, scansLeft });
      if (read.isScanned) scansLeft--;
      const filled = fields.get(number) ?? [];
      yield { ...read, text: [read.text, ...filled].filter(Boolean).join('\n') };
    }
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function readPage(
  pdf: Pdf,
  number: number,
  sizes: LetterSizes,
  work: PdfWork,
): Promise<PageOfSource> {
  try {
    const page = await pdf.getPage(number);
    try {
      return await textOrScan(page, number, sizes, work);
    } finally {
      page.cleanup();
    }
  } catch (error) {
    if (error instanceof Pause || error instanceof NotTheFile) throw error;
    return { page: number, text: '', isScanned: false, problem: 'UNREAD' };
  }
}

async function textOrScan(
  page: PdfPage,
  number: number,
  sizes: LetterSizes,
  work: PdfWork,
): Promise<PageOfSource> {
  const { items } = await page.getTextContent();
  const written = items.filter((item): item is typeof item & TextItem => 'str' in item);
  const text = textOfPage(written, sizes);
  const plain = { page: number, text, isScanned: false };
  if (!(await isScan(page, text))) return plain;
  if (!work.readScan) return { ...plain, problem: 'NO_OCR' };
  if (work.scansLeft <= 0) return { ...plain, problem: 'TOO_MANY_SCANS' };
  if (!work.readsScans) throw new Pause('SCANNED');
  const recognized = await work.readScan(page);
  if (recognized === '' && (await hasUnknownImage(page))) {
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

async function isScan(page: PdfPage, text: string): Promise<boolean> {
  const length = text.replaceAll(/\s/g, '').length;
  if (length >= LITTLE_TEXT) return false;
  const { OPS } = await getResolvedPDFJS();
  const images = new Set([
    OPS.paintImageXObject,
    OPS.paintInlineImageXObject,
    OPS.paintImageMaskXObject,
    OPS.paintImageXObjectRepeat,
    OPS.paintImageMaskXObjectGroup,
    OPS.paintInlineImageXObjectGroup,
  ]);
  const { fnArray } = await page.getOperatorList();
  if (fnArray.some((code) => images.has(code))) return true;
  return (
    length < NO_TEXT && fnArray.filter((code) => code === OPS.constructPath).length > MANY_SHAPES
  );
}

/** An image that can't be unpacked is left out of the page, which must not count as empty. */
async function hasUnknownImage(page: PdfPage): Promise<boolean> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  return fnArray.some((code, index) => {
    if (code !== OPS.paintImageXObject) return false;
    const [id] = argsArray[index] as [string];
    const objects = id.startsWith('g_') ? page.commonObjs : page.objs;
    return !objects.has(id) || !objects.get(id);
  });
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
