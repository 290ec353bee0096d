/** The text of a document, page by page. */
export interface TextSource {
  /** How many pages there are, if that is known before they are read. */
  pages: number | null;
  /** Each has its number: pages that need not be read are left out. */
  texts: AsyncIterable<PageOfSource>;
  /** Why the rest is missing, known once everything has been read. */
  note?(): string | null;
}

export interface PageOfSource {
  page: number;
  text: string;
  isScanned: boolean;
  problem?: PageProblem;
}

/** UNREAD: nobody can read it. NO_OCR and TOO_MANY_SCANS: only by OCR, and that is not to be had. CUT: too long. */
export type PageProblem = 'UNREAD' | 'NO_OCR' | 'TOO_MANY_SCANS' | 'CUT';

/** Ends `texts` early: the rest is for another turn, or another process. */
export class Pause extends Error {
  readonly status: 'LATER' | 'SCANNED';

  constructor(status: 'LATER' | 'SCANNED') {
    super(status);
    this.name = 'Pause';
    this.status = status;
  }
}

/** Numbers texts that are pages of their own, such as slides. */
export async function* numbered(
  texts: AsyncIterable<string>,
  isScanned = false,
): AsyncGenerator<PageOfSource> {
  let page = 0;
  for await (const text of texts) yield { page: ++page, text, isScanned };
}
