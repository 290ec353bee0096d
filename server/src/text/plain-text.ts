/**
 * Markdown as one line of plain text, for lists, notifications, mails and quotes. The server and the web app
 * use the same function. It reads each character a fixed number of times, whatever is written.
 */
export function plainText(markdown: string): string {
  return readPlainText(markdown).text;
}

/** Plain text as Markdown that shows it, in the middle of a paragraph or at its start. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*[\]<|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
    .replace(/^(?:[#>+-]|(\d+)([.)]))/, (start, number?: string, mark?: string) =>
      number === undefined ? `\\${start}` : `${number}\\${mark}`,
    );
}

export interface PlainText {
  text: string;
  /** Where a position of the Markdown is in the text. */
  placeOf: (position: number) => number;
}

/** What becomes of a character. */
const KEPT = 0;
const DROPPED = 1;
/** Between cells and items. */
const DOT = 2;
/** After a heading. */
const COLON = 3;
type Fate = typeof KEPT | typeof DROPPED | typeof DOT | typeof COLON;

export function readPlainText(markdown: string): PlainText {
  const fates = new Uint8Array(markdown.length);
  const set = (from: number, to: number, fate: Fate) => fates.fill(fate, from, to);
  readLines(markdown, set);
  const places = new Uint32Array(markdown.length + 1);
  let text = '';
  let gap = '';
  for (let at = 0; at < markdown.length; at++) {
    const character = markdown.charAt(at);
    if (fates[at] === DOT) gap = ' · ';
    else if (fates[at] === COLON)
      gap = /[\p{L}\p{N}]/u.test(text.charAt(text.length - 1)) ? ': ' : ' ';
    else if (fates[at] === KEPT && /\s/.test(character)) gap ||= ' ';
    else if (fates[at] === KEPT) {
      if (text !== '') text += gap;
      gap = '';
      places[at] = text.length;
      text += character;
      continue;
    }
    places[at] = text.length;
  }
  places[markdown.length] = text.length;
  return { text, placeOf: (position) => places[Math.min(position, markdown.length)] ?? 0 };
}

type SetFate = (from: number, to: number, fate: Fate) => void;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const RULE = /^[ \t]*(?:=+|(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})[ \t]*$/;
const TABLE_RULE = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const HEADING = /^#{1,6}(?=[ \t])/;
const ITEM = /^[-+*](?=[ \t])(?:[ \t]+\[[ xX]\](?=[ \t]))?/;
const MOST_NESTED = 8;

function readLines(markdown: string, set: SetFate): void {
  let fence: string | undefined;
  let before: 'item' | 'row' | undefined;
  let start = 0;
  const lines = markdown.split('\n');
  for (const [nth, line] of lines.entries()) {
    const end = start + line.length;
    const [, marker] = FENCE.exec(line) ?? [];
    const isRule = RULE.test(line) || (line.includes('|') && TABLE_RULE.test(line));
    if (fence !== undefined) {
      if (marker?.startsWith(fence) && line.trim() === marker) {
        set(start, end, DROPPED);
        fence = undefined;
      }
    } else if (marker !== undefined) {
      set(start, end, DROPPED);
      fence = marker;
      before = undefined;
    } else if (isRule) {
      set(start, end, DROPPED);
    } else {
      const isRow = line.includes('|') && (before === 'row' || isTableRule(lines[nth + 1]));
      const { kind, length } = isRow ? readRow(line, start, set) : readStart(line, start, set);
      // Where the line before ends, so that items and rows don't run together.
      if (kind !== undefined && kind === before && start > 0) set(start - 1, start, DOT);
      if (kind === 'heading' && end < markdown.length) set(end, end + 1, COLON);
      before = kind === 'heading' ? undefined : kind;
      readInline(line, length, start, set);
    }
    start = end + 1;
  }
}

function isTableRule(line = ''): boolean {
  return line.includes('-') && line.includes('|') && TABLE_RULE.test(line);
}

interface Start {
  kind?: 'heading' | 'item' | 'row';
  /** Where the text of the line begins. */
  length: number;
}

/** Drops the marks of quotes, headings and items at the start of a line. */
function readStart(line: string, start: number, set: SetFate): Start {
  let kind: Start['kind'];
  let length = 0;
  for (let depth = 0; depth < MOST_NESTED; depth++) {
    length += /^[ \t]*/.exec(line.slice(length))?.[0].length ?? 0;
    const rest = line.slice(length, length + 20);
    const [heading] = HEADING.exec(rest) ?? [];
    const [mark = rest.startsWith('>') ? '>' : undefined] = heading
      ? [heading]
      : (ITEM.exec(rest) ?? []);
    if (mark === undefined) break;
    length += mark.length;
    if (heading !== undefined) kind = 'heading';
    else if (mark !== '>') kind = 'item';
    if (heading !== undefined) break;
  }
  set(start, start + length, DROPPED);
  return kind === undefined ? { length } : { kind, length };
}

/** Drops the bars around a row, and puts dots between its cells. */
function readRow(line: string, start: number, set: SetFate): Start {
  const { length: all } = line.trimEnd();
  const first = line.length - line.trimStart().length;
  for (let at = 0; at < all; at++) {
    if (line[at] !== '|' || line[at - 1] === '\\') continue;
    const isEdge = at === first || at === all - 1;
    set(start + at, start + at + 1, isEdge ? DROPPED : DOT);
  }
  return { kind: 'row', length: 0 };
}

const INLINE =
  /\\[\\`*_{}[\]()#+\-.!~|<>]|`+|!?\[|\]\((?:[^()\s]|\([^()\s]*\))*(?:[ \t]+"[^"]*")?\)|\*+|_+|~~|<(?:https?:\/\/|mailto:)[^<>\s]*>/g;

interface Opened {
  mark: string;
  from: number;
}

function readInline(line: string, begin: number, start: number, set: SetFate): void {
  const ticks = Map.groupBy([...line.matchAll(/`+/g)].toReversed(), ([run]) => run.length);
  const brackets: Opened[] = [];
  const emphasis: Record<string, Opened[]> = { '*': [], _: [], '~': [] };
  const drop = (from: number, length: number) => set(start + from, start + from + length, DROPPED);
  INLINE.lastIndex = begin;
  for (let found = INLINE.exec(line); found; found = INLINE.exec(line)) {
    const { 0: mark, index: from } = found;
    if (mark.startsWith('\\')) drop(from, 1);
    else if (mark.startsWith('`')) {
      const close = takeAfter(ticks.get(mark.length) ?? [], from + mark.length);
      if (close === undefined) continue;
      drop(from, mark.length);
      drop(close, mark.length);
      INLINE.lastIndex = close + mark.length;
    } else if (mark.endsWith('[')) brackets.push({ mark, from });
    else if (mark.startsWith(']')) {
      const open = brackets.pop();
      if (!open) continue;
      drop(open.from, open.mark.length);
      drop(from, mark.length);
    } else if (mark.startsWith('<')) {
      drop(from, 1);
      drop(from + mark.length - 1, 1);
    } else matchEmphasis(line, { mark, from }, emphasis[mark.charAt(0)] ?? [], drop);
  }
}

/** The first of these runs from here on. They are in reverse, so that passed ones are popped. */
function takeAfter(runs: RegExpExecArray[], from: number): number | undefined {
  while ((runs.at(-1)?.index ?? from) < from) runs.pop();
  return runs.at(-1)?.index;
}

/** Stars and underscores that belong together are dropped. Those on their own are text. */
function matchEmphasis(
  line: string,
  { mark, from }: Opened,
  opened: Opened[],
  drop: (from: number, length: number) => void,
): void {
  const before = line.charAt(from - 1);
  const after = line.charAt(from + mark.length);
  const isWord = (character: string) => /[\p{L}\p{N}]/u.test(character);
  const isInWord = mark.startsWith('_') && isWord(before) && isWord(after);
  let left = /\S/.test(before) && !isInWord ? mark.length : 0;
  let end = from;
  for (let last = opened.at(-1); last && last.mark.length <= left; last = opened.at(-1)) {
    const { length } = last.mark;
    drop(last.from, length);
    drop(end, length);
    end += length;
    left -= length;
    opened.pop();
    if (end === from + mark.length) return;
  }
  if (end === from && /\S/.test(after) && !isInWord) opened.push({ mark, from });
}
