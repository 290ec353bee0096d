import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { init } from '@embedpdf/pdfium';

type Place = [
  left: number,
  top: number,
  width: number,
  height: number,
  turns: number,
  flags: number,
];

/** What is used of PDFium. Documents, pages and the like are addresses in its memory; 0 is none. */
export interface Pdfium {
  FPDF_LoadCustomDocument(access: number, password: string): number;
  FPDF_CloseDocument(document: number): void;
  FPDF_GetPageCount(document: number): number;
  FPDF_LoadPage(document: number, index: number): number;
  FPDF_ClosePage(page: number): void;
  FPDF_GetPageWidthF(page: number): number;
  FPDF_GetPageHeightF(page: number): number;
  FPDFPage_CountObjects(page: number): number;
  FPDFPage_GetObject(page: number, at: number): number;
  FPDFFormObj_CountObjects(form: number): number;
  FPDFFormObj_GetObject(form: number, at: number): number;
  FPDFPageObj_GetType(object: number): number;
  FPDFImageObj_GetBitmap(image: number): number;
  FPDFBitmap_CreateEx(
    width: number,
    height: number,
    format: number,
    data: number,
    stride: number,
  ): number;
  FPDFBitmap_FillRect(
    bitmap: number,
    left: number,
    top: number,
    width: number,
    height: number,
    colour: number,
  ): boolean;
  FPDFBitmap_GetBuffer(bitmap: number): number;
  FPDFBitmap_Destroy(bitmap: number): void;
  FPDF_RenderPageBitmap(bitmap: number, page: number, ...place: Place): void;
  /** The fields of a form, which are not part of the page. */
  FPDF_FFLDraw(form: number, bitmap: number, page: number, ...place: Place): void;
  FPDF_SetFormFieldHighlightAlpha(form: number, alpha: number): void;
  PDFiumExt_OpenFormFillInfo(): number;
  PDFiumExt_InitFormFillEnvironment(document: number, info: number): number;
  PDFiumExt_ExitFormFillEnvironment(form: number): void;
  PDFiumExt_CloseFormFillInfo(info: number): void;
  pdfium: {
    /** Replaced when the memory grows, so it is never kept. */
    HEAPU8: Uint8Array<ArrayBuffer>;
    wasmExports: { malloc(size: number): number; free(address: number): void };
    setValue(address: number, value: number, type: 'i32'): void;
    addFunction(call: (...values: number[]) => number, signature: string): number;
    removeFunction(address: number): void;
  };
}

let running: Promise<Pdfium> | undefined;

/** Started once in the life of the process, which takes a tenth of a second. Its memory is its own, up to 2 GiB. */
export function startPdfium(): Promise<Pdfium> {
  running ??= start();
  return running;
}

async function start(): Promise<Pdfium> {
  const path = fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'));
  const { buffer, byteOffset, byteLength } = await readFile(path);
  const wasmBinary = buffer.slice(byteOffset, byteOffset + byteLength);
  const silent = () => {};
  const started = await init({ wasmBinary, print: silent, printErr: silent });
  started.PDFiumExt_Init();
  // Its own types need those of Emscripten.
  return started as unknown as Pdfium;
}
