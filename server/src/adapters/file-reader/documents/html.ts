import { decodePage } from '../../web-pages/decode-page.ts';
import { decodeEntities } from '../../web-pages/entities.ts';
import type { ReaderLimits } from '../limits.ts';
import { decodeText, readStart } from './encoding.ts';
import { splitPages } from './split-pages.ts';
import { numbered, type TextSource } from './text-source.ts';

const BYTES_EACH = 4;

export async function readHtml(path: string, limits: ReaderLimits): Promise<TextSource> {
  const { bytes } = await readStart(path, limits.textLength * BYTES_EACH);
  const text = decodeHtml(bytes);
  return { pages: null, texts: numbered(splitPages(htmlBlocks(text))) };
}

/** UTF-8 if it can be, or what the page declares, or what browsers take old pages for. */
export function decodeHtml(bytes: Uint8Array): string {
  const declared = decodePage(bytes, '');
  const isDeclared = /charset/i.test(declared.slice(0, 1024));
  return isDeclared || !declared.includes('\u{fffd}') ? declared : decodeText(bytes);
}

/** Elements whose content nobody sees, or that is no text. */
const SKIPPED = new Set(
  'script style noscript template svg math iframe object canvas select textarea datalist'.split(
    ' ',
  ),
);
const BLOCKS = new Set(
  `address article aside blockquote body caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2
   h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody tfoot thead title tr ul`.split(
    /\s+/,
  ),
);
const HEADING = /^h([1-6])$/;

interface Tag {
  name: string;
  isClosing: boolean;
  end: number;
}

/** What people would read, in blocks. Reads each character a fixed number of times, and runs nothing. */
export function* htmlBlocks(html: string): Generator<string> {
  const writer = createBlockWriter();
  for (let at = 0; at < html.length;) {
    const next = html.indexOf('<', at);
    const end = next === -1 ? html.length : next;
    writer.text(html.slice(at, end));
    if (next === -1) break;
    const tag = tagAt(html, next);
    if (!tag) {
      writer.text('<');
      at = next + 1;
      continue;
    }
    at = isSkipped(html, tag) ? endOfElement(html, tag) : tag.end;
    yield* writer.tag(tag);
  }
  yield* writer.flush();
}

/** Undefined if this `<` begins no tag. */
function tagAt(html: string, at: number): Tag | undefined {
  if (html.startsWith('<!--', at)) return skipTo(html, '-->', at);
  const begin = /^<(\/?)([a-z][a-z0-9]{0,19})|^<[!?]/i.exec(html.slice(at, at + 24));
  if (!begin) return undefined;
  const tag = skipTo(html, '>', at);
  return { ...tag, name: (begin[2] ?? '').toLowerCase(), isClosing: begin[1] === '/' };
}

function skipTo(html: string, mark: string, from: number): Tag {
  const at = html.indexOf(mark, from);
  return { name: '', isClosing: false, end: at === -1 ? html.length : at + mark.length };
}

function isSkipped(html: string, { name, isClosing, end }: Tag): boolean {
  const isWhole = (name === 'svg' || name === 'math') && html[end - 2] === '/';
  return SKIPPED.has(name) && !isClosing && !isWhole;
}

function endOfElement(html: string, tag: Tag): number {
  const closing = new RegExp(`</${tag.name}[\\s>/]`, 'gi');
  closing.lastIndex = tag.end;
  const found = closing.exec(html);
  return found ? skipTo(html, '>', found.index).end : html.length;
}

function createBlockWriter() {
  let text = '';
  let prefix = '';
  let cells: string[] | undefined;
  let cell: string[] = [];
  let preformatted = 0;

  function* flush(end = '\n\n'): Generator<string> {
    const block = preformatted > 0 ? text.replace(/^\n/, '').trimEnd() : tidy(text);
    text = '';
    if (block.trim() === '') return;
    if (cells) {
      cell.push(block.replaceAll('\n', ' '));
      return;
    }
    yield `${prefix}${block}${end}`;
    prefix = '';
  }

  function* endCell(): Generator<string> {
    yield* flush();
    cells?.push(cell.join(' '));
    cell = [];
  }

  function* endRow(): Generator<string> {
    yield* flush();
    if (cell.length > 0) yield* endCell();
    const row = cells ?? [];
    cells = undefined;
    if (row.some(Boolean)) yield `${row.join(' | ')}\n`;
  }

  function* tag({ name, isClosing }: Tag): Generator<string> {
    if (name === 'br') text += '\n';
    else if (name === 'td' || name === 'th') {
      // The end of a cell need not be written.
      if (isClosing || cell.length > 0 || (cells && text.trim() !== '')) yield* endCell();
      if (!isClosing && !cells) {
        yield* flush();
        cells = [];
      }
    } else if (name === 'tr' || name === 'table') {
      yield* endRow();
      if (name === 'tr' && !isClosing) cells = [];
      else if (isClosing && name === 'table') yield '\n';
    } else if (BLOCKS.has(name)) {
      yield* flush(name === 'li' ? '\n' : '\n\n');
      if (name === 'pre') preformatted = Math.max(0, preformatted + (isClosing ? -1 : 1));
      if (!cells) prefix = isClosing ? '' : prefixOf(name);
    }
  }

  return {
    text: (source: string) => {
      const decoded = decodeEntities(source);
      text += preformatted > 0 ? decoded : decoded.replaceAll(/[\s\u{a0}]+/gu, ' ');
    },
    tag,
    flush: endRow,
  };
}

function prefixOf(name: string): string {
  const level = HEADING.exec(name)?.[1];
  if (level !== undefined) return `${'#'.repeat(Number(level))} `;
  if (name === 'title') return '# ';
  return name === 'li' ? '- ' : '';
}

function tidy(text: string): string {
  return text
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
}
