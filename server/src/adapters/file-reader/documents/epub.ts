import { posix } from 'node:path';
import type { ReaderLimits } from '../limits.ts';
import { parseXml } from '../parts/xml-reader.ts';
import type { ZipReader } from '../parts/zip-reader.ts';
import { REASONS, Unreadable } from '../reasons.ts';
import { decodeHtml, htmlBlocks } from './html.ts';
import { entryName, openPackage } from './office-package.ts';
import { splitPages } from './split-pages.ts';
import { numbered, type TextSource } from './text-source.ts';

/** Books: chapters in the order in which they are read. */
export async function readEpub(path: string, limits: ReaderLimits): Promise<TextSource> {
  const zip = await openPackage(path, limits);
  const chapters = await chaptersOf(zip);
  await refuseProtected(zip, chapters);
  return { pages: null, texts: numbered(pagesOf(zip, chapters)) };
}

async function chaptersOf(zip: ZipReader): Promise<string[]> {
  let main = '';
  parseXml(await whole(zip, 'META-INF/container.xml'), {
    open(name, attributes) {
      if (name === 'rootfile') main ||= attributes.get('full-path') ?? '';
    },
  });
  const folder = posix.dirname(main);
  const items = new Map<string, string>();
  const chapters: string[] = [];
  parseXml(await whole(zip, main), {
    open(name, attributes) {
      if (name === 'item') items.set(attributes.get('id') ?? '', attributes.get('href') ?? '');
      const href = name === 'itemref' ? items.get(attributes.get('idref') ?? '') : undefined;
      const entry = href === undefined ? '' : entryName(folder, decoded(href));
      if (zip.has(entry)) chapters.push(entry);
    },
  });
  return chapters;
}

async function whole(zip: ZipReader, name: string): Promise<Buffer> {
  const bytes = await zip.readAll(name);
  if (!bytes) throw new Unreadable(REASONS.damaged);
  return bytes;
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

/** Fonts are often encrypted in books that anyone may read, chapters are not. */
async function refuseProtected(zip: ZipReader, chapters: readonly string[]): Promise<void> {
  const bytes = await zip.readAll('META-INF/encryption.xml');
  if (!bytes) return;
  const read = new Set(chapters);
  parseXml(bytes, {
    open(name, attributes) {
      const entry = name === 'CipherReference' ? attributes.get('URI') : undefined;
      if (entry !== undefined && read.has(decoded(entry))) {
        throw new Unreadable(REASONS.protectedBook);
      }
    },
  });
}

async function* pagesOf(zip: ZipReader, chapters: readonly string[]): AsyncGenerator<string> {
  try {
    // Each chapter begins on a page of its own.
    for (const chapter of chapters) {
      const bytes = await zip.readAll(chapter);
      if (bytes) yield* splitPages(htmlBlocks(withoutHead(decodeHtml(bytes))));
    }
  } finally {
    await zip.close();
  }
}

/** Its title is the book's, in every chapter. */
function withoutHead(html: string): string {
  const body = html.search(/<body[\s>]/i);
  return body === -1 ? html : html.slice(body);
}
