import { dropHiddenCharacters } from '../../core/hidden-characters.ts';
import { decodeEntities } from './entities.ts';
import type { PageSummary } from './web-pages.ts';

/** In code points. */
const MOST_TITLE = 200;
const MOST_DESCRIPTION = 300;
const MOST_SITE = 80;
/** Of one text or tag, as written: entities are up to ten times as long as what they stand for. */
const MOST_WRITTEN = 8_192;

/** A tag that matters, a comment, or what ends the head. Their content may contain anything that looks like tags. */
const NEXT = /<!--|<(\/head|body|title|meta|script|style|noscript|template|svg)(?=[\s/>])/gi;
const ATTRIBUTE =
  /[\s/]*([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\s"'>]*)))?/y;

/** Reads each character a fixed number of times, whatever is written. Null without a title. */
export function readHead(html: string, host: string): PageSummary | null {
  const said = readTags(html);
  const first = (names: readonly string[], most: number) => {
    for (const name of names) {
      const text = cleanText(said.get(name) ?? '', most);
      if (text !== '') return text;
    }
    return null;
  };
  const title = first(['og:title', 'twitter:title', '<title>'], MOST_TITLE);
  if (title === null) return null;
  const description = first(
    ['og:description', 'twitter:description', 'description'],
    MOST_DESCRIPTION,
  );
  return {
    site: first(['og:site_name', 'application-name'], MOST_SITE) ?? host,
    title,
    description: description === title ? null : description,
  };
}

/** What is said first counts. */
function readTags(html: string): Map<string, string> {
  const said = new Map<string, string>();
  const say = (name: string, text: string) => {
    if (!said.has(name) && text !== '') said.set(name, text);
  };
  NEXT.lastIndex = 0;
  for (let found = NEXT.exec(html); found; found = NEXT.exec(html)) {
    const tag = found[1]?.toLowerCase();
    if (tag === '/head' || tag === 'body') break;
    if (tag === 'meta') {
      const { name, property, content } = readAttributes(html, NEXT.lastIndex);
      say((property ?? name ?? '').toLowerCase(), content ?? '');
      continue;
    }
    const [from, to, end] = tag === undefined ? commentFrom(html) : contentFrom(html, tag);
    if (tag === 'title') say('<title>', html.slice(from, Math.min(to, from + MOST_WRITTEN)));
    if (end === -1) break;
    NEXT.lastIndex = end;
  }
  return said;
}

type Range = [from: number, to: number, end: number];

function commentFrom(html: string): Range {
  const from = NEXT.lastIndex;
  const to = html.indexOf('-->', from);
  return [from, to, to === -1 ? -1 : to + 3];
}

/** Of an element whose end tag was not read, everything that follows. */
function contentFrom(html: string, tag: string): Range {
  const opened = html.indexOf('>', NEXT.lastIndex);
  if (opened === -1) return [html.length, html.length, -1];
  const closing = new RegExp(`</${tag}`, 'gi');
  closing.lastIndex = opened;
  const to = closing.exec(html)?.index ?? -1;
  return [opened + 1, to === -1 ? html.length : to, to];
}

function readAttributes(html: string, at: number): Record<string, string | undefined> {
  const text = html.slice(at, at + MOST_WRITTEN);
  const attributes: Record<string, string | undefined> = {};
  ATTRIBUTE.lastIndex = 0;
  for (let found = ATTRIBUTE.exec(text); found; found = ATTRIBUTE.exec(text)) {
    const [, name = '', double, single, bare] = found;
    attributes[name.toLowerCase()] ??= double ?? single ?? bare ?? '';
  }
  return attributes;
}

/** One line of what people can see. */
function cleanText(written: string, most: number): string {
  const text = dropHiddenCharacters(decodeEntities(written.slice(0, MOST_WRITTEN)))
    .toWellFormed()
    // More marks on one letter than any language has would cover the lines around it.
    .replaceAll(/(\p{M}{4})\p{M}+/gu, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = Array.from(text);
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}
