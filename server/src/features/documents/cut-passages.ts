import type { Steps } from '../../text/words/in-turns.ts';

/** A part of a page, in code points. */
export interface CutPassage {
  text: string;
  heading: string | null;
  start: number;
  end: number;
}

/** About as much as the model reads in one window. */
const MOST_WORDS = 200;
/** Lines of code and tables have few words and many signs. */
const MOST_CHARACTERS = 1_600;
/** What two passages have in common if one text goes on from one to the other. */
const OVERLAP = { words: 30, characters: 240 };
/** A heading begins a passage, unless there is too little above it. */
const LEAST_WORDS = 40;
/** A longer sentence is cut. */
const UNIT_CHARACTERS = 600;
const LONGEST_HEADING = 200;
/** Characters between two steps. */
const STEP_CHARACTERS = 20_000;

/** A line or sentence: the least that is cut at. */
interface Unit extends Omit<CutPassage, 'heading'> {
  /** The same in UTF-16 units. */
  from: number;
  to: number;
  words: number;
  isHeading: boolean;
}

/**
 * Cuts a page into passages, between sentences if possible. `heading` is the last one of the pages before;
 * headings are lines that begin with `#`.
 */
export function* cutPassages(
  text: string,
  heading: string | null,
): Steps<{ passages: CutPassage[]; heading: string | null }> {
  const passages: CutPassage[] = [];
  let open: Unit[] = [];
  let openHeading = heading;
  let latest = heading;
  let isNew = false;
  const close = () => {
    const [first, last] = [open[0], open.at(-1)];
    if (first && last && isNew) {
      // As it stands in the page, with what is between the units.
      const passage = text.slice(first.from, last.to);
      passages.push({ text: passage, heading: openHeading, start: first.start, end: last.end });
    }
    isNew = false;
  };
  let stepped = 0;
  for (const unit of unitsOf(text)) {
    const words = wordsIn(open);
    if (unit.isHeading && words >= LEAST_WORDS) {
      close();
      open = [];
    } else if (open.length > 0 && isFull(open, unit)) {
      close();
      open = overlapOf(open);
      openHeading = latest;
    }
    if (unit.isHeading) latest = headingOf(unit.text);
    // A page that begins with a heading is about that one.
    if (open.length === 0 || (unit.isHeading && open.every(({ isHeading }) => isHeading))) {
      openHeading = latest;
    }
    open.push(unit);
    isNew = true;
    if ((stepped += unit.text.length) >= STEP_CHARACTERS) {
      stepped = 0;
      yield;
    }
  }
  close();
  return { passages, heading: latest };
}

function* unitsOf(text: string): Generator<Unit> {
  let read = 0;
  let points = 0;
  /** Places only grow, so each character is counted once. */
  const pointsAt = (at: number) => {
    points += codePoints(text, read, at);
    read = at;
    return points;
  };
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    const isHeading = /^#{1,6}\s+\S/.test(line);
    const parts = isHeading ? [{ part: line, at: 0 }] : sentencesOf(line);
    for (const { part, at } of parts) {
      const trimmed = part.trim();
      if (trimmed === '') continue;
      const from = index + at + part.indexOf(trimmed);
      const to = from + trimmed.length;
      const start = pointsAt(from);
      const words = countWords(trimmed);
      yield { text: trimmed, from, to, start, end: pointsAt(to), words, isHeading };
    }
  }
}

function* sentencesOf(line: string): Generator<{ part: string; at: number }> {
  for (const { 0: sentence, index } of line.matchAll(
    /.*?(?:[.!?…。！？]+["'”’)\]]*(?=\s|$)|[。！？]|$)/gsu,
  )) {
    for (let from = 0; from < sentence.length;) {
      const to = endOfPart(sentence, from);
      yield { part: sentence.slice(from, to), at: index + from };
      from = to;
    }
  }
}

/** At a space if possible, and never within a character. */
function endOfPart(sentence: string, from: number): number {
  const most = from + UNIT_CHARACTERS;
  if (most >= sentence.length) return sentence.length;
  const space = sentence.lastIndexOf(' ', most);
  if (space > from) return space + 1;
  return /[\udc00-\udfff]/.test(sentence.charAt(most)) ? most - 1 : most;
}

function isFull(open: readonly Unit[], next: Unit): boolean {
  if (wordsIn(open) + next.words > MOST_WORDS) return true;
  return next.end - (open[0]?.start ?? 0) > MOST_CHARACTERS;
}

/** The last units, as many as two passages have in common. */
function overlapOf(units: readonly Unit[]): Unit[] {
  const end = units.at(-1)?.to ?? 0;
  let words = 0;
  const from = units.findLastIndex((unit) => {
    words += unit.words;
    return words > OVERLAP.words || end - unit.from > OVERLAP.characters;
  });
  return units.slice(from + 1);
}

function wordsIn(units: readonly Unit[]): number {
  return units.reduce((sum, { words }) => sum + words, 0);
}

/** Two characters of a script without spaces count as a word. */
function countWords(text: string): number {
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  return (text.match(/\S+/g)?.length ?? 0) + Math.floor(unspaced / 2);
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

function headingOf(line: string): string {
  return line
    .replace(/^#+\s+/, '')
    .slice(0, LONGEST_HEADING)
    .toWellFormed();
}

function codePoints(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    // The second half of a pair belongs to the first.
    if (unit < 0xdc00 || unit > 0xdfff) count++;
  }
  return count;
}
