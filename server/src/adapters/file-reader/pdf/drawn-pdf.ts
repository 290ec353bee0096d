import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { ReaderLimits } from '../limits.ts';
import { REASONS, Unreadable } from '../reasons.ts';
import { contentOf, hasUnknownPicture, type PageContent } from './page-objects.ts';
import { startPdfium, type Pdfium } from './pdfium.ts';

/** Pixels as RGBA. */
export interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}

/** A PDF whose pages can be drawn, with all kinds of packed images, and without any font of this machine. */
export interface DrawnPdf {
  pages: number;
  /** Pages count from 1. `scaleOf` is given the size in points. Null if there is no such page. */
  draw(page: number, scaleOf: (width: number, height: number) => number): Pixels | null;
  /** What is on the page besides text, counted up to a limit. */
  contentOf(page: number): PageContent;
  /** Whether there is a picture on the page that can't be unpacked. */
  hasUnknownPicture(page: number): boolean;
  close(): void;
}

/** Parts of it are read when they are needed. */
export async function openDrawnPdf(path: string, limits: ReaderLimits): Promise<DrawnPdf> {
  const pdfium = await startPdfium();
  const file = openSync(path, 'r');
  const { size } = statSync(path);
  if (size > limits.pdfBytes) {
    closeSync(file);
    throw new Unreadable(REASONS.tooLarge);
  }
  const access = fileAccess(pdfium, file, size);
  const document = orExit(() => pdfium.FPDF_LoadCustomDocument(access.address, ''));
  const form = document === 0 ? undefined : orExit(() => openForm(pdfium, document));
  const close = () => {
    form?.close();
    orExit(() => document && pdfium.FPDF_CloseDocument(document));
    access.free();
    closeSync(file);
  };
  if (document === 0) {
    close();
    throw new Unreadable(REASONS.damaged);
  }
  return {
    pages: orExit(() => pdfium.FPDF_GetPageCount(document)),
    draw: (page, scaleOf) =>
      withPage(pdfium, document, page, (opened) =>
        draw(pdfium, { page: opened, form: form?.address ?? 0 }, scaleOf, limits),
      ) ?? null,
    contentOf: (page) =>
      withPage(pdfium, document, page, (opened) => contentOf(pdfium, opened)) ?? {
        pictures: 0,
        shapes: 0,
      },
    hasUnknownPicture: (page) =>
      withPage(pdfium, document, page, (opened) => hasUnknownPicture(pdfium, opened)) ?? false,
    close,
  };
}

/** A struct of three words: the length, the function that reads, and what it is called with. */
function fileAccess(pdfium: Pdfium, file: number, size: number) {
  const { pdfium: memory } = pdfium;
  const read = memory.addFunction((_about, position = 0, to = 0, length = 0) => {
    try {
      return readSync(file, memory.HEAPU8, to >>> 0, length, position >>> 0) === length ? 1 : 0;
    } catch {
      return 0;
    }
  }, 'iiiii');
  const address = memory.wasmExports.malloc(12);
  for (const [at, value] of [size, read, 0].entries())
    memory.setValue(address + 4 * at, value, 'i32');
  const free = () => {
    memory.wasmExports.free(address);
    memory.removeFunction(read);
  };
  return { address, free };
}

/** Only to draw what was filled in: without the colour that shows where fields are. */
function openForm(pdfium: Pdfium, document: number) {
  const info = pdfium.PDFiumExt_OpenFormFillInfo();
  const address = pdfium.PDFiumExt_InitFormFillEnvironment(document, info);
  if (address !== 0) pdfium.FPDF_SetFormFieldHighlightAlpha(address, 0);
  const close = () =>
    orExit(() => {
      if (address !== 0) pdfium.PDFiumExt_ExitFormFillEnvironment(address);
      pdfium.PDFiumExt_CloseFormFillInfo(info);
    });
  return { address, close };
}

/** After an error in it, its memory can't be trusted. The server starts another process and goes on after this page. */
function orExit<T>(call: () => T): T {
  try {
    return call();
  } catch {
    return process.exit(1);
  }
}

function withPage<T>(
  pdfium: Pdfium,
  document: number,
  number: number,
  use: (page: number) => T,
): T | undefined {
  return orExit(() => {
    const page = pdfium.FPDF_LoadPage(document, number - 1);
    if (page === 0) return undefined;
    const used = use(page);
    pdfium.FPDF_ClosePage(page);
    return used;
  });
}

/** Bytes for blue, green, red and one more; the flags have red first, and annotations drawn. */
const FORMAT = 4;
const FLAGS = 0x10 | 0x01;
const WHITE = 0xff_ff_ff_ff;

function draw(
  pdfium: Pdfium,
  { page, form }: { page: number; form: number },
  scaleOf: (width: number, height: number) => number,
  limits: ReaderLimits,
): Pixels | null {
  const points = {
    width: pdfium.FPDF_GetPageWidthF(page),
    height: pdfium.FPDF_GetPageHeightF(page),
  };
  const scale = scaleOf(points.width, points.height);
  const width = Math.max(1, Math.round(points.width * scale));
  const height = Math.max(1, Math.round(points.height * scale));
  if (!(width * height <= limits.pixels)) return null;
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, FORMAT, 0, 0);
  if (bitmap === 0) return null;
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, FLAGS);
  if (form !== 0) pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, FLAGS);
  const at = pdfium.FPDFBitmap_GetBuffer(bitmap);
  const data = Buffer.from(pdfium.pdfium.HEAPU8.slice(at, at + 4 * width * height).buffer);
  pdfium.FPDFBitmap_Destroy(bitmap);
  return { data, width, height };
}
