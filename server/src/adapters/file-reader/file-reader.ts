/** Reads what others uploaded, in a process of its own with limits, which is replaced if it dies. */
export interface FileReader {
  /**
   * The text, page by page in order, from page `from` on (1 is the first). `onPage` is awaited, so what it stored is
   * not read again. What can't be read is no error: `reason` says why, in words for people. From a later page on, the
   * outcome is never EMPTY. It rejects if this machine is at fault, such as for a file that is gone.
   */
  readText(
    file: FileToRead,
    onPage: (page: PageText) => Promise<void>,
    options?: { from?: number; signal?: AbortSignal },
  ): Promise<TextOutcome>;
  /** A WebP of a picture, or of a page of a PDF, at most so wide. Null if there can be none. */
  preview(
    file: FileToRead,
    options: { width: number; page?: number; signal?: AbortSignal },
  ): Promise<Picture | null>;
  /**
   * The size of a picture as it is shown, and for JPEG and PNG a copy at `copyTo` that is turned upright and has no
   * metadata. Null if it is no picture, or one that can't be read.
   */
  cleanPicture(
    file: FileToRead,
    copyTo: string,
    signal?: AbortSignal,
  ): Promise<{ width: number; height: number; isCopied: boolean } | null>;
  /** How many pages a PDF has. Null if nobody can say. */
  countPages(file: FileToRead, signal?: AbortSignal): Promise<number | null>;
  /** Where words are on a page of a PDF that is no scan. Empty if they are not, or nobody can say. */
  findOnPage(
    file: FileToRead,
    options: { page: number; words: readonly string[]; signal?: AbortSignal },
  ): Promise<Box[]>;
  close(): Promise<void>;
}

/** `path` is on this machine, with the whole content. */
export interface FileToRead {
  path: string;
  mediaType: string;
  name: string;
}

export interface PageText {
  page: number;
  /** How many pages there are, once that is known. */
  pages: number | null;
  /** Plain text; headings are lines that begin with `#`, table rows have ` | ` between their cells. */
  text: string;
  isScanned: boolean;
}

export interface Picture {
  bytes: Buffer;
  width: number;
  height: number;
}

/** A part of a match, in shares of the page, from its top left. */
export interface Box {
  /** Which of the matches on the page, from 0. A match on two lines has two boxes. */
  match: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface TextOutcome {
  status: 'READY' | 'EMPTY' | 'FAILED';
  /** For EMPTY and FAILED, and for READY if not everything was read. */
  reason: string | null;
  pages: number | null;
}
