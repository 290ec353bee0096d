import { Lexer, Tokenizer, type Token, type Tokens } from 'marked';

export type { Token, Tokens } from 'marked';

/**
 * Markdown as a tree of tokens, never as HTML. What people, models and tools write may be made to be
 * slow: how deep and how much is read is bounded, and past the bounds it is shown as it was written.
 */
export function readMarkdown(source: string): Token[] {
  const known = recent.get(source);
  if (known) {
    // Moved to the end: the first of the map is what was not asked for longest.
    recent.delete(source);
    recent.set(source, known);
    return known;
  }
  const tokens = lex(source);
  recent.set(source, tokens);
  const [oldest] = recent.keys();
  if (recent.size > MOST_KEPT && oldest !== undefined) recent.delete(oldest);
  return tokens;
}

/** A list that scrolls takes its rows away and brings them back; they are not read again each time. */
const recent = new Map<string, Token[]>();
const MOST_KEPT = 300;

const LONGEST = 100_000;
const MOST_STEPS = 30_000;
const MOST_SCANNED = 1_500_000;
const DEEPEST = 8;
const MOST_CELLS = 5_000;
const LONGEST_URL = 2_048;
const FAR = 500;
const QUOTE = /^ {0,3}>/;
const LIST = /^ {0,3}(?:[-+*]|\d{1,9}[.)])/;

function lex(source: string): Token[] {
  if (source.length > LONGEST) return asWritten(source);
  try {
    return new Lexer({ gfm: true, breaks: true, tokenizer: new BoundedTokenizer() }).lex(source);
  } catch {
    return asWritten(source);
  }
}

function asWritten(source: string): Token[] {
  return [{ type: 'text', raw: source, text: source, escaped: true } satisfies Tokens.Text];
}

/** Of chat: no HTML and no code by indentation, which in a chat is far more often a list or a quote. */
class BoundedTokenizer extends Tokenizer {
  #steps = 0;
  #scanned = 0;
  #depth = 0;

  /** The lexer asks for `space` first at every block, and for `escape` first at every inline. */
  override space(src: string) {
    this.#step();
    return super.space(src);
  }

  override escape(src: string) {
    this.#step();
    return super.escape(src);
  }

  override html() {
    return undefined;
  }

  override tag() {
    return undefined;
  }

  override code() {
    return undefined;
  }

  /** In a chat, a line like `[a]: b` is meant to be read. */
  override def() {
    return undefined;
  }

  /** Every row is filled up to the heading's width, which a few characters can make a million cells. */
  override table(src: string) {
    const [block = ''] = src.split(/\n[ \t]*\n/, 1);
    const [heading = ''] = block.split('\n', 1);
    const cells = heading.split('|').length * block.split('\n').length;
    return cells > MOST_CELLS ? undefined : super.table(src);
  }

  override blockquote(src: string) {
    if (!QUOTE.test(src) || !this.#mayScan(src)) return undefined;
    return this.#deeper(() => super.blockquote(src));
  }

  override list(src: string) {
    if (!LIST.test(src) || !this.#mayScan(src)) return undefined;
    return this.#deeper(() => super.list(src));
  }

  override link(src: string) {
    return this.#deeper(() => super.link(src));
  }

  override reflink(src: string, links: Parameters<Tokenizer['reflink']>[1]) {
    return this.#deeper(() => super.reflink(src, links));
  }

  /** Each opener looks for its end through all that follows; quotes and lists read it all again. */
  override emStrong(src: string, maskedSrc: string, prevChar?: string) {
    if (!src.startsWith('*') && !src.startsWith('_')) return undefined;
    if (!this.#mayScan(src)) return undefined;
    return this.#deeper(() => super.emStrong(src, maskedSrc, prevChar));
  }

  override del(src: string, maskedSrc: string, prevChar?: string) {
    if (!src.startsWith('~') || !this.#mayScan(src)) return undefined;
    return this.#deeper(() => super.del(src, maskedSrc, prevChar));
  }

  /** Its pattern looks ahead for an e-mail address from every character: only so far. */
  override inlineText(src: string) {
    return super.inlineText(src.slice(0, endOfWord(src)));
  }

  override url(src: string) {
    return super.url(src.slice(0, LONGEST_URL));
  }

  #step(): void {
    if (++this.#steps > MOST_STEPS) throw new Error('Too much markup');
  }

  #mayScan(src: string): boolean {
    this.#scanned += src.length;
    return this.#scanned <= MOST_SCANNED;
  }

  #deeper<T>(read: () => T): T | undefined {
    if (this.#depth >= DEEPEST) return undefined;
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }
}

/** Cut before a space, where no address and no line break is torn. */
function endOfWord(src: string): number {
  if (src.length <= FAR) return src.length;
  const space = src.slice(FAR, 2 * FAR).search(/\s/);
  return space === -1 ? 2 * FAR : FAR + space;
}
