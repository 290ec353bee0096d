import type { PageProblem } from './documents/text-source.ts';
import type { Box, FileToRead, PageText, Picture } from './file-reader.ts';
import type { ReaderLimits } from './limits.ts';

/** What a process is asked to do. It does one thing at a time. */
export type Work =
  | {
      kind: 'text';
      file: FileToRead;
      from: number;
      /** Whether scanned pages are read here. If not, the work ends before the first one. */
      readsScans: boolean;
      /** How many scanned pages may still be read of this file. */
      scansLeft: number;
      ocr: OcrData | null;
    }
  | { kind: 'preview'; file: FileToRead; width: number; page: number }
  | { kind: 'clean'; file: FileToRead; copyTo: string }
  | { kind: 'find'; file: FileToRead; page: number; words: readonly string[] }
  | { kind: 'pages'; file: FileToRead };

/** `folder` has a `<language>.traineddata.gz` for each. */
export interface OcrData {
  languages: string[];
  folder: string;
}

export type ToChild =
  | { kind: 'work'; work: Work; limits: ReaderLimits }
  /** The page that was sent last is stored. */
  | { kind: 'stored' }
  /** No more pages are wanted. */
  | { kind: 'stop' };

export type FromChild =
  /** Sent once, when work can come. */
  | { kind: 'ready' }
  /** Also a sign of progress. */
  | { kind: 'opened'; pages: number | null }
  | { kind: 'page'; page: ReadPage }
  | { kind: 'done'; result: Result }
  /** Something is wrong on this machine, not with the file. */
  | { kind: 'error'; problem: string };

export interface ReadPage extends PageText {
  problem?: PageProblem;
}

export type Result = TextResult | PreviewResult | CleanResult | FindResult | PagesResult;

export interface TextResult {
  kind: 'text';
  /** LATER: its turn is over. SCANNED: the next page must be read by OCR. DONE: all pages were sent. */
  status: 'DONE' | 'LATER' | 'SCANNED' | 'EMPTY' | 'FAILED';
  reason: string | null;
  pages: number | null;
}

export interface PreviewResult {
  kind: 'preview';
  picture: Picture | null;
}

export interface CleanResult {
  kind: 'clean';
  picture: { width: number; height: number; isCopied: boolean } | null;
}

export interface FindResult {
  kind: 'find';
  boxes: Box[];
}

export interface PagesResult {
  kind: 'pages';
  pages: number | null;
}

/** The result of some work. */
export type ResultOf<W extends Work> = Extract<Result, { kind: W['kind'] }>;
