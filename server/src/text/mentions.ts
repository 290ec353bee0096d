/** A longer slug mentions nobody. This limits the cost of looking up one mention. */
export const MAX_SLUG_LENGTH = 64;

/** Marks and joiners belong to the letter before them: `é` can be two characters, and `❤️` ends in a mark.
 * The lookbehind comes after the `@`, so only an `@` triggers it and no mark is read twice.
 * ASCII ranges instead of /i, because /iu matches the Kelvin sign as a k. */
const MENTION = /@(?<![\p{L}\p{N}_][\p{M}\u200c\u200d]*@)([A-Za-z0-9_-][A-Za-z0-9._:-]*)/gu;

const LINE_END = /\r\n|\n|\r/;
const LIST_MARKER = String.raw`(?:[-+*]|\d{1,9}[.)])`;
const FENCE_START = new RegExp(`^( {0,3}(?:${LIST_MARKER} {1,4})*)(\`{3,}(?=[^\`]*$)|~{3,})`);
const FENCE_END = /^( *)(`{3,}|~{3,})[ \t]*$/;
const PARAGRAPH_END = new RegExp(`^[ \t]*(?:$|${LIST_MARKER}[ \t])`);

interface Fence {
  marker: string;
  /** The column at which the text of its list item begins; 0 outside lists. */
  column: number;
}

/** The distinct mentioned slugs in lower case, in order of appearance. The caller decides who answers. */
export function parseMentions(body: string, isKnown: (slug: string) => boolean): string[] {
  const slugs = new Set<string>();
  for (const text of readOutsideCode(body, '@')) {
    for (const [, written = ''] of text.matchAll(MENTION)) {
      const slug = trimSlug(written, isKnown);
      if (slug !== undefined) slugs.add(slug);
    }
  }
  return [...slugs];
}

/** The paragraphs that have this sign, without code. */
export function* readOutsideCode(body: string, sign: string): Generator<string> {
  for (const paragraph of readParagraphs(body)) {
    if (paragraph.includes(sign)) yield cutCodeSpans(paragraph);
  }
}

/** Every slug that a mention could stand for, before it is known which of them exist. */
export function listReadings(body: string): string[] {
  const longer: string[] = [];
  const trimmed = parseMentions(body, (slug) => {
    longer.push(slug);
    return false;
  });
  return [...new Set([...trimmed, ...longer])];
}

/** The text outside fenced code. Text indented by four counts too: in a chat it usually continues a list
 * rather than being code. A fence inside a quote needs no rule: its two runs pair up as a code span. */
function* readParagraphs(body: string): Generator<string> {
  let lines: string[] = [];
  let fence: Fence | undefined;
  for (const line of body.split(LINE_END)) {
    if (fence && !leavesListItem(line, fence)) {
      if (closesFence(line, fence)) fence = undefined;
      continue;
    }
    fence = openFence(line);
    if (fence || PARAGRAPH_END.test(line)) {
      yield lines.join('\n');
      lines = [];
    }
    if (!fence) lines.push(line);
  }
  yield lines.join('\n');
}

function openFence(line: string): Fence | undefined {
  const [, before = '', marker] = FENCE_START.exec(line) ?? [];
  if (marker === undefined) return undefined;
  return { marker, column: before.trim() === '' ? 0 : before.length };
}

function closesFence(line: string, fence: Fence): boolean {
  const [, indent = '', marker = ''] = FENCE_END.exec(line) ?? [];
  return marker.startsWith(fence.marker) && indent.length <= fence.column + 3;
}

/** Code in a list item ends with the item, whether it is closed or not. */
function leavesListItem(line: string, fence: Fence): boolean {
  const text = line.trimStart();
  const indent = line.slice(0, line.length - text.length).replaceAll('\t', '    ');
  return text !== '' && indent.length < fence.column;
}

/** The text with each code span as one backtick. A run of backticks opens a span only if one of the same
 * length follows. Runs are indexed by length, because searching from each one would be quadratic. */
function cutCodeSpans(text: string): string {
  const runs = indexRuns(text);
  const opener = /\\[\\`]|`+/g;
  let kept = '';
  let from = 0;
  for (let found = opener.exec(text); found; found = opener.exec(text)) {
    const [run] = found;
    const close = run.startsWith('\\') ? undefined : findRun(runs, run.length, opener.lastIndex);
    if (close === undefined) continue;
    kept += `${text.slice(from, found.index)}\``;
    from = close + run.length;
    opener.lastIndex = from;
  }
  return kept + text.slice(from);
}

type Runs = Map<number, RegExpExecArray[]>;

/** By length, last first, so that runs already passed are popped from the end. */
function indexRuns(text: string): Runs {
  return Map.groupBy([...text.matchAll(/`+/g)].toReversed(), ([run]) => run.length);
}

function findRun(runs: Runs, length: number, from: number): number | undefined {
  const found = runs.get(length) ?? [];
  while ((found.at(-1)?.index ?? from) < from) found.pop();
  return found.at(-1)?.index;
}

/** Tries the longest reading first, then shorter ones: at most MAX_SLUG_LENGTH slugs, none longer than that. */
export function trimSlug(written: string, isKnown: (slug: string) => boolean): string | undefined {
  for (let end = written.length; end > 0; end--) {
    const last = written.charAt(end - 1);
    if (last === '.' || last === ':') continue;
    const slug = end <= MAX_SLUG_LENGTH ? written.slice(0, end).toLowerCase() : undefined;
    if (last !== '-' && last !== '_') return slug;
    if (slug !== undefined && isKnown(slug)) return slug;
  }
  return undefined;
}
