import type { Box, FileToRead } from '../file-reader.ts';
import { kindOf } from '../documents/kind-of.ts';
import type { ReaderLimits } from '../limits.ts';
import { Unreadable } from '../reasons.ts';
import { openPdf, type PdfPage } from './open-pdf.ts';
import type { TextItem } from './page-lines.ts';

const MOST_MATCHES = 500;
/** How far letters go below their line, and above it, of their size. */
const BELOW = 0.22;
const ABOVE = 0.78;

/** Where words are on a page of a PDF, in any case and however its lines are broken. None on a scan. */
export async function findOnPage(
  file: FileToRead,
  { page: number, words }: { page: number; words: readonly string[] },
  limits: ReaderLimits,
): Promise<Box[]> {
  if (kindOf(file) !== 'pdf') return [];
  try {
    const pdf = await openPdf(file.path, limits);
    try {
      return number > pdf.numPages ? [] : await findBoxes(await pdf.getPage(number), words);
    } finally {
      await pdf.loadingTask.destroy();
    }
  } catch (error) {
    if (error instanceof Unreadable) return [];
    throw error;
  }
}

interface Piece extends TextItem {
  dir: string;
  /** Where it begins in the text of the page. */
  start: number;
}

async function findBoxes(page: PdfPage, words: readonly string[]): Promise<Box[]> {
  const { items } = await page.getTextContent();
  const pieces: Piece[] = [];
  let text = '';
  for (const item of items) {
    if (!('str' in item)) continue;
    pieces.push({ ...item, start: text.length });
    text += item.hasEOL ? `${item.str}\n` : item.str;
  }
  const matches = [...text.matchAll(patternOf(words))].slice(0, MOST_MATCHES);
  const toBox = placeOn(page);
  let first = 0;
  return matches.flatMap(({ index: start, 0: { length } }, match) => {
    const end = start + length;
    while (endOf(pieces[first]) <= start) first++;
    const boxes: Box[] = [];
    for (let at = first; (pieces[at]?.start ?? end) < end; at++) {
      const piece = pieces[at];
      if (!piece || piece.str.trim() === '') continue;
      const from = Math.max(0, start - piece.start);
      const to = Math.min(piece.str.length, end - piece.start);
      if (to > from) boxes.push({ match, ...toBox(piece, from, to) });
    }
    return boxes;
  });
}

function endOf(piece: Piece | undefined): number {
  return piece ? piece.start + piece.str.length : Number.POSITIVE_INFINITY;
}

/** Words that were divided at the end of a line are found too. */
function patternOf(words: readonly string[]): RegExp {
  const escaped = words.map((word) =>
    Array.from(word, (letter) => letter.replace(/[\\^$.*+?()[\]{}|]/, '\\$&')).join(
      '(?:[-\\u00ad]\\n)?',
    ),
  );
  return new RegExp(escaped.join('\\s+'), 'giu');
}

type Place = Omit<Box, 'match'>;

/** Where a part of a piece is, in shares of the page as it is shown. */
function placeOn(page: PdfPage): (piece: Piece, from: number, to: number) => Place {
  const viewport = page.getViewport({ scale: 1 });
  const share = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 1e5) / 1e5;
  return ({ str, dir, transform, width }, from, to) => {
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = transform;
    const along = Math.hypot(a, b) || 1;
    const whole = widthOf(str) || 1;
    const before = widthOf(str.slice(0, from)) / whole;
    const until = widthOf(str.slice(0, to)) / whole;
    const [start, end] = dir === 'rtl' ? [1 - until, 1 - before] : [before, until];
    const corners = [
      [start, -BELOW],
      [end, ABOVE],
    ].map(([part = 0, up = 0]) =>
      viewport.convertToViewportPoint(
        x + (a / along) * width * part + c * up,
        y + (b / along) * width * part + d * up,
      ),
    ) as [number, number][];
    const xs = corners.map(([one]) => share(one / viewport.width));
    const ys = corners.map(([, one]) => share(one / viewport.height));
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
  };
}

const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[ijl|']/, 0.4],
  [/[ftI.,;:!/()[\]\s]/, 0.5],
  [/r/, 0.6],
  [/[mMW@]/, 1.5],
  [/[A-Zw]/, 1.25],
];

/** About how wide letters are in most fonts: only the whole piece is measured. */
function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) width += WIDTHS.find(([of]) => of.test(letter))?.[1] ?? 1;
  return width;
}
