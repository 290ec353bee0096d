import { decodePage } from '../../web-pages/decode-page.ts';
import type { ReaderLimits } from '../limits.ts';
import { decodeText, readStart } from './encoding.ts';
import { createBlockWriter, type Tag } from './html-writer.ts';
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

/** Elements whose content nobody sees, or that is no text, or that is the same on each page of a site. */
const SKIPPED = new Set(
  'script style noscript template nav svg math iframe object canvas select textarea datalist'.split(
    ' ',
  ),
);
/** Its attributes are looked for in so many characters. */
const LONGEST_TAG = 500;

/** What people would read, in blocks. Reads each character a fixed number of times, and runs nothing. */
export function* htmlBlocks(html: string): Generator<string> {
  const writer = createBlockWriter();
  // One that nobody has closed would hide the rest of the page.
  const lastNav = html.toLowerCase().lastIndexOf('</nav');
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
    const isHidden = isSkipped(html, tag) && (tag.name !== 'nav' || next < lastNav);
    at = isHidden ? endOfElement(html, tag) : tag.end;
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
  const source = html.slice(at, Math.min(tag.end, at + LONGEST_TAG));
  const attribute = (name: string) =>
    new RegExp(`\\s${name}\\s*=\\s*["']?([\\w-]{1,20})`, 'i').exec(source)?.[1];
  return { ...tag, name: (begin[2] ?? '').toLowerCase(), isClosing: begin[1] === '/', attribute };
}

function skipTo(html: string, mark: string, from: number): Tag {
  const at = html.indexOf(mark, from);
  const end = at === -1 ? html.length : at + mark.length;
  return { name: '', isClosing: false, end, attribute: () => undefined };
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
