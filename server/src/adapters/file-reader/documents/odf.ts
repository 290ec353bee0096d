import type { ReaderLimits } from '../limits.ts';
import { parseXml, readXml } from '../parts/xml-reader.ts';
import type { ZipReader } from '../parts/zip-reader.ts';
import { REASONS, Unreadable } from '../reasons.ts';
import { presentationHandler, textHandler } from './odf-handlers.ts';
import { spreadsheetHandler, type SheetEvent } from './odf-sheets.ts';
import { openPackage } from './office-package.ts';
import { pagesOfSheet } from './sheet-pages.ts';
import { splitPages } from './split-pages.ts';
import { numbered, type TextSource } from './text-source.ts';

const CONTENT = 'content.xml';

/** Text documents of LibreOffice and others. */
export async function readOdt(path: string, limits: ReaderLimits): Promise<TextSource> {
  const zip = await openOdf(path, limits);
  const blocks = readXml<string>(zip.read(CONTENT), textHandler);
  return { pages: null, texts: numbered(closing(zip, splitPages(blocks))) };
}

export async function readOdp(path: string, limits: ReaderLimits): Promise<TextSource> {
  const zip = await openOdf(path, limits);
  const slides = readXml<string>(zip.read(CONTENT), presentationHandler);
  return { pages: null, texts: numbered(closing(zip, slides)) };
}

export async function readOds(path: string, limits: ReaderLimits): Promise<TextSource> {
  const zip = await openOdf(path, limits);
  const events = readXml<SheetEvent>(zip.read(CONTENT), spreadsheetHandler);
  return { pages: null, texts: numbered(closing(zip, sheetsOf(events))) };
}

async function openOdf(path: string, limits: ReaderLimits): Promise<ZipReader> {
  const zip = await openPackage(path, limits);
  try {
    if (!zip.has(CONTENT)) throw new Unreadable(REASONS.otherType);
    let isEncrypted = false;
    const manifest = await zip.readAll('META-INF/manifest.xml');
    if (manifest) {
      parseXml(manifest, { open: (name) => void (isEncrypted ||= name === 'encryption-data') });
    }
    if (isEncrypted) throw new Unreadable(REASONS.password);
    return zip;
  } catch (error) {
    await zip.close();
    throw error;
  }
}

async function* closing(zip: ZipReader, texts: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* texts;
  } finally {
    await zip.close();
  }
}

async function* sheetsOf(events: AsyncGenerator<SheetEvent>): AsyncGenerator<string> {
  for (let event = await events.next(); !event.done;) {
    const { value } = event;
    event = await events.next();
    if (value.kind !== 'sheet') continue;
    async function* rows(): AsyncGenerator<readonly string[]> {
      for (; !event.done && event.value.kind === 'row'; event = await events.next()) {
        yield event.value.cells;
      }
    }
    yield* pagesOfSheet(value.name, rows());
  }
}
