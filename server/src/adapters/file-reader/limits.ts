/** Limits on the work for one file. Tests pass smaller ones. */
export interface ReaderLimits {
  /** Of the JavaScript heap of each process. */
  heapMegabytes: number;
  /** A process that takes more memory is killed. */
  memoryBytes: number;
  /**
   * Processor time without a page, or any other sign of progress, after which a process is killed. Processor time,
   * because on a busy machine nobody is to blame for the rest.
   */
  stepMs: number;
  ocrStepMs: number;
  /** Processor time for one file. */
  textMs: number;
  ocrMs: number;
  pictureMs: number;
  /** A process that waits instead of working is killed after so many times these. */
  waitFactor: number;
  /** After this long, a document with pages waits for its turn again. */
  sliceMs: number;
  /** A process without work ends after this long. */
  idleMs: number;
  /** Characters of all text of a file, and of one page. */
  textLength: number;
  pageLength: number;
  pages: number;
  /** Pages of one file that are read by OCR. */
  ocrPages: number;
  /** PDFs are read into memory as a whole. */
  pdfBytes: number;
  /** Pictures, likewise. */
  pictureBytes: number;
  pixels: number;
  /** Of everything that is read from one archive, unpacked. */
  unpackedBytes: number;
  archiveEntries: number;
}

const MEBIBYTE = 1024 ** 2;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

export const LIMITS: ReaderLimits = {
  heapMegabytes: 512,
  memoryBytes: 1024 * MEBIBYTE,
  stepMs: MINUTE,
  ocrStepMs: 2 * MINUTE,
  textMs: 5 * MINUTE,
  ocrMs: 60 * MINUTE,
  pictureMs: 30 * SECOND,
  waitFactor: 10,
  sliceMs: 15 * SECOND,
  idleMs: MINUTE,
  textLength: 20_000_000,
  pageLength: 1_000_000,
  pages: 5000,
  ocrPages: 500,
  pdfBytes: 256 * MEBIBYTE,
  pictureBytes: 256 * MEBIBYTE,
  pixels: 128_000_000,
  unpackedBytes: 256 * MEBIBYTE,
  archiveEntries: 10_000,
};
