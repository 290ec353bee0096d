import { nameKey } from '../../../../../server/src/text/name-key.ts';

/** The parts of a piece of text, outside code and links. */
export type TextPart =
  | { kind: 'text'; text: string }
  | { kind: 'mention'; text: string }
  /** `#12` is task 12 of the project. */
  | { kind: 'task'; number: number; text: string }
  /** `[2]` is the second memory that the answer cites. */
  | { kind: 'citation'; number: number };

/** A mention as the server parses it: not after a word character. A name can have up to four words. */
const MENTION =
  /@(?<![\p{L}\p{N}_][\p{M}\u200c\u200d]*@)[\p{L}\p{N}_-][\p{L}\p{M}\p{N}'’._:-]{0,63}(?: \p{L}[\p{L}\p{M}\p{N}'’._-]{0,63}){0,3}/u;
const SLUG = /^@[A-Za-z0-9_-][A-Za-z0-9._:-]*/;
/** What may follow a name in a sentence: its punctuation, or the `’s` of what is theirs. */
const ENDING = /(?:['’]\p{L}{0,2}|[._:'’-])$/u;
const CITATION = /\[[1-9]\d{0,2}\]/;
/** Not in a word, an address or an entity, and not the start of a longer number or a colour. */
const TASK = /(?<![\p{L}\p{N}_#&/.:])#[1-9]\d{0,8}(?![\p{L}\p{N}_])/u;
const PART = new RegExp(`${MENTION.source}|${CITATION.source}|${TASK.source}`, 'gu');

export function splitText(
  text: string,
  mentions: ReadonlySet<string>,
  citationCount: number,
): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const found of text.matchAll(PART)) {
    const part = readPart(found[0], mentions, citationCount);
    if (!part) continue;
    if (found.index > from) parts.push({ kind: 'text', text: text.slice(from, found.index) });
    parts.push(part);
    from = found.index + (part.kind === 'mention' ? part.text.length : found[0].length);
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

function readPart(
  written: string,
  mentions: ReadonlySet<string>,
  citationCount: number,
): TextPart | undefined {
  if (written.startsWith('#')) {
    return { kind: 'task', number: Number(written.slice(1)), text: written };
  }
  if (written.startsWith('[')) {
    const number = Number(written.slice(1, -1));
    return number <= citationCount ? { kind: 'citation', number } : undefined;
  }
  const text = readingsOf(written).find(
    (reading) =>
      mentions.has(reading.slice(1).toLowerCase()) ||
      (!ENDING.test(reading) && mentions.has(nameKey(reading.slice(1)))),
  );
  return text === undefined ? undefined : { kind: 'mention', text };
}

/** What a mention can be, with its @, longest first: `@Ada Roe.` is `@Ada Roe` or `@Ada`. */
function readingsOf(written: string): string[] {
  const words = written.split(' ');
  const longer = words.map((_, at) => words.slice(0, words.length - at).join(' '));
  return [...longer, SLUG.exec(written)?.[0] ?? ''].flatMap((reading) => {
    const readings: string[] = [];
    for (let text = reading; text.length > 1; text = text.replace(ENDING, '')) {
      readings.push(text);
      if (!ENDING.test(text)) break;
    }
    return readings;
  });
}

const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  laquo: '«',
  raquo: '»',
  times: '×',
  middot: '·',
  bull: '•',
  rarr: '→',
  larr: '←',
  euro: '€',
  deg: '°',
};

/** Models write `&lt;` when they mean `<`. The lexer already decoded numeric entities. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&([a-z]{2,6});/g, (whole, name: string) =>
    Object.hasOwn(NAMED, name) ? (NAMED[name] ?? whole) : whole,
  );
}
