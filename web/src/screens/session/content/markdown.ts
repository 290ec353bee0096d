import { Lexer, Tokenizer, type Token, type Tokens } from 'marked';

export type { Token, Tokens } from 'marked';

/**
 * Markdown as a tree of tokens, never as HTML. Text may be designed to be slow to parse, so depth and
 * amount are limited. Beyond the limits, it is shown as it was written.
 */
export function readMarkdown(source: string): Token[] {
  const known = recent.get(source);
  if (known) {
    // Moved to the end, so that the map's first entry is the least recently used.
    recent.delete(source);
    recent.set(source, known);
    return known;
  }
  const tokens = lexMarkdown(source);
  recent.set(source, tokens);
  const [oldest] = recent.keys();
  if (recent.size > MOST_KEPT && oldest !== undefined) recent.delete(oldest);
  return tokens;
}

/** Scrolling removes rows and adds them back. The cache avoids parsing them again each time. */
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

/** Without the cache, for text that is different each time. */
export function lexMarkdown(source: string): Token[] {
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

/** Markdown for chat: no HTML, and no code by indentation, which is usually a list or a quote here. */
class BoundedTokenizer extends Tokenizer {
  #steps = 0;
  #scanned = 0;
  #depth = 0;

  /** The lexer calls `space` first for every block, and `escape` first for every inline token. */
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

  /** In a chat, a line like `[a]: b` is meant as text. */
  override def() {
    return undefined;
  }

  /** Every row is padded to the header's width, so a few characters could make a million cells. */
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

  /** Each opener searches all following text for its end, and quotes and lists parse it again. */
  override emStrong(src: string, maskedSrc: string, prevChar?: string) {
    if (!src.startsWith('*') && !src.startsWith('_')) return undefined;
    if (!this.#mayScan(src)) return undefined;
    return this.#deeper(() => super.emStrong(src, maskedSrc, prevChar));
  }

  override del(src: string, maskedSrc: string, prevChar?: string) {
    if (!src.startsWith('~') || !this.#mayScan(src)) return undefined;
    return this.#deeper(() => super.del(src, maskedSrc, prevChar));
  }

  /** Its pattern looks ahead for an email address from every character. This limits how far. */
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

/** Cut before a space, so that no address or line break is split. */
function endOfWord(src: string): number {
  if (src.length <= FAR) return src.length;
  const space = src.slice(FAR, 2 * FAR).search(/\s/);
  return space === -1 ? 2 * FAR : FAR + space;
}
