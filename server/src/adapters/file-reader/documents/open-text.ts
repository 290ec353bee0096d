import type { ReaderLimits } from '../limits.ts';
import type { DrawnPdf } from '../pdf/drawn-pdf.ts';
import type { OcrData, Work } from '../protocol.ts';
import { REASONS, Unreadable } from '../reasons.ts';
import { kindOf, type DocumentKind } from './kind-of.ts';
import { Pause, type PageOfSource, type TextSource } from './text-source.ts';

type TextWork = Extract<Work, { kind: 'text' }>;
type Opener = (path: string, limits: ReaderLimits) => Promise<TextSource>;

/** Loaded when the first file of a type comes, which keeps the start of a process short. */
const OPENERS: Readonly<Record<Exclude<DocumentKind, 'pdf' | 'picture'>, () => Promise<Opener>>> = {
  docx: async () => (await import('./docx.ts')).readDocx,
  xlsx: async () => (await import('./xlsx.ts')).readXlsx,
  pptx: async () => (await import('./pptx.ts')).readPptx,
  odt: async () => (await import('./odf.ts')).readOdt,
  ods: async () => (await import('./odf.ts')).readOds,
  odp: async () => (await import('./odf.ts')).readOdp,
  epub: async () => (await import('./epub.ts')).readEpub,
  html: async () => (await import('./html.ts')).readHtml,
  csv: async () => (await import('./plain-text.ts')).readCsv,
  json: async () => (await import('./plain-text.ts')).readJson,
  text: async () => (await import('./plain-text.ts')).readPlainText,
};

export async function openText(work: TextWork, limits: ReaderLimits): Promise<TextSource> {
  const kind = kindOf(work.file);
  if (kind === undefined) throw new Unreadable(REASONS.notSupported);
  if (kind === 'pdf') return openPdfText(work, limits);
  if (kind === 'picture') return openPictureText(work, limits);
  const opener = await OPENERS[kind]();
  return opener(work.file.path, limits);
}

async function openPdfText(work: TextWork, limits: ReaderLimits): Promise<TextSource> {
  const { readPdf } = await import('../pdf/read-pdf.ts');
  const { file, ocr } = work;
  const readScan =
    ocr &&
    (async (drawn: DrawnPdf, page: number) => {
      const { readScannedPage } = await import('../pictures/ocr.ts');
      return readScannedPage(drawn, page, ocr);
    });
  return readPdf(file.path, { ...work, readScan }, limits);
}

async function openPictureText(work: TextWork, limits: ReaderLimits): Promise<TextSource> {
  const { file, from, ocr } = work;
  if (!ocr) throw new Unreadable(REASONS.noOcr(''));
  const { openPicture } = await import('../pictures/open-picture.ts');
  const { readPicture } = await import('../pictures/ocr.ts');
  const started = performance.now();
  const picture = await openPicture(file.path, limits);
  async function* texts(data: OcrData): AsyncGenerator<PageOfSource> {
    for (let page = from; page <= Math.min(picture.pages, limits.pages); page++) {
      if (page > from && performance.now() - started > limits.sliceMs) throw new Pause('LATER');
      yield { page, text: await readPicture(picture, page, data), isScanned: true };
    }
  }
  return { pages: picture.pages, texts: texts(ocr) };
}
