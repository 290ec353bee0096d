/** The parts of a piece of text, outside code and links. */
export type TextPart =
  | { kind: 'text'; text: string }
  | { kind: 'mention'; text: string }
  /** `#12` is task 12 of the project. */
  | { kind: 'task'; number: number; text: string }
  /** `[2]` is the second memory that the answer cites. */
  | { kind: 'citation'; number: number };

/** A mention as the server parses it: not after a word character, and without dots at the end. */
const MENTION = /@(?<![\p{L}\p{N}_][\p{M}\u200c\u200d]*@)[A-Za-z0-9_-][A-Za-z0-9._:-]{0,63}/u;
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
  for (let end = written.length; end > 1; end--) {
    const text = written.slice(0, end);
    if (mentions.has(text.slice(1).toLowerCase())) return { kind: 'mention', text };
    if (!/[._:-]$/.test(text)) return undefined;
  }
  return undefined;
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
