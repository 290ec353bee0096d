import type { ReaderLimits } from '../limits.ts';
import { REASONS } from '../reasons.ts';
import { readTextFile } from './encoding.ts';
import { createRowWriter } from './rows.ts';
import { splitPages } from './split-pages.ts';
import { numbered, type TextSource } from './text-source.ts';

/** A character has at most so many bytes. */
const BYTES_EACH = 4;

/** Plain text, Markdown and code, line by line as they are. */
export function readPlainText(path: string, limits: ReaderLimits): Promise<TextSource> {
  return readAs(path, limits, (text) => text.split(/(?<=\n)/));
}

/** Data on one long line is laid out, so that it can be divided and quoted. */
export function readJson(path: string, limits: ReaderLimits): Promise<TextSource> {
  return readAs(path, limits, (text) => linesOf(isOneLine(text) ? laidOut(text) : text));
}

export function readCsv(path: string, limits: ReaderLimits): Promise<TextSource> {
  return readAs(path, limits, csvLines);
}

async function readAs(
  path: string,
  limits: ReaderLimits,
  blocksOf: (text: string) => Iterable<string>,
): Promise<TextSource> {
  const { text, isWhole } = await readTextFile(path, limits.textLength * BYTES_EACH);
  const blocks = blocksOf(text.replace(/^\u{feff}/u, '').replaceAll(/\r\n?/g, '\n'));
  return {
    pages: null,
    texts: numbered(splitPages(blocks)),
    note: () => (isWhole ? null : REASONS.firstCharacters(limits.textLength)),
  };
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function isOneLine(text: string): boolean {
  return text.length > 1000 && text.trimEnd().split('\n', 3).length < 3;
}

const MOST_LAID_OUT = 4_000_000;

function laidOut(text: string): string {
  if (text.length > MOST_LAID_OUT) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function* csvLines(text: string): Generator<string> {
  const separator = separatorOf(text);
  const write = createRowWriter();
  for (const row of rowsOf(text, separator)) {
    const line = write(row);
    if (line !== '') yield `${line}\n`;
  }
}

/** The one that the first line has most. */
function separatorOf(text: string): string {
  const line = text.slice(0, text.indexOf('\n') + 1 || undefined).slice(0, 10_000);
  const counts = [',', ';', '\t', '|'].map((mark) => [mark, line.split(mark).length] as const);
  return counts.toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? ',';
}

const MOST_CELLS = 10_000;

/** Quoted cells may contain separators, line breaks and doubled quotes. */
function* rowsOf(text: string, separator: string): Generator<string[]> {
  let row: string[] = [];
  for (let at = 0; at < text.length;) {
    const isQuoted = text[at] === '"';
    const { cell, end } = isQuoted ? quotedCell(text, at) : plainCell(text, at, separator);
    if (row.length < MOST_CELLS) row.push(cell);
    at = end;
    if (text[at] === separator) at++;
    else if (at >= text.length || text[at] === '\n') {
      yield row;
      row = [];
      at++;
    }
  }
  if (row.length > 0) yield row;
}

function plainCell(text: string, at: number, separator: string): { cell: string; end: number } {
  let end = at;
  while (end < text.length && text[end] !== separator && text[end] !== '\n') end++;
  return { cell: text.slice(at, end), end };
}

function quotedCell(text: string, at: number): { cell: string; end: number } {
  let end = text.indexOf('"', at + 1);
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end === -1) return { cell: text.slice(at + 1), end: text.length };
  return { cell: text.slice(at + 1, end).replaceAll('""', '"'), end: end + 1 };
}
