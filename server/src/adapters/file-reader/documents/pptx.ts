import type { ReaderLimits } from '../limits.ts';
import { parseXml, readXml, type XmlHandler } from '../parts/xml-reader.ts';
import type { ZipReader } from '../parts/zip-reader.ts';
import { createTableWriter } from './table-writer.ts';
import { headingLine, mainPart, openPackage, relationsOf } from './office-package.ts';
import { numbered, type TextSource } from './text-source.ts';

/** Slides in their order, each a page, with the notes of the person who speaks. */
export async function readPptx(path: string, limits: ReaderLimits): Promise<TextSource> {
  const zip = await openPackage(path, limits);
  const slides = await slidesOf(zip);
  return { pages: slides.length, texts: numbered(textsOf(zip, slides)) };
}

async function slidesOf(zip: ZipReader): Promise<string[]> {
  const main = await mainPart(zip, 'ppt/presentation.xml');
  const relations = await relationsOf(zip, main);
  const targets = new Map(relations.map(({ id, target }) => [id, target]));
  const slides: string[] = [];
  parseXml((await zip.readAll(main)) ?? Buffer.alloc(0), {
    open(name, attributes) {
      const target = name === 'sldId' ? targets.get(attributes.get('r:id') ?? '') : undefined;
      if (target !== undefined && zip.has(target)) slides.push(target);
    },
  });
  return slides;
}

async function* textsOf(zip: ZipReader, slides: readonly string[]): AsyncGenerator<string> {
  try {
    for (const slide of slides) {
      const blocks: string[] = [];
      for await (const block of readXml(zip.read(slide), slideHandler)) blocks.push(block);
      const relations = await relationsOf(zip, slide);
      const notes = relations.find(({ type }) => type === 'notesSlide')?.target;
      if (notes && zip.has(notes)) blocks.push(...(await notesIn(zip, notes)));
      yield blocks.join('');
    }
  } finally {
    await zip.close();
  }
}

async function notesIn(zip: ZipReader, part: string): Promise<string[]> {
  const blocks: string[] = [];
  for await (const block of readXml(zip.read(part), slideHandler)) blocks.push(block);
  return blocks.length > 0 ? ['\nNotes:\n', ...blocks] : [];
}

const TITLES = new Set(['title', 'ctrTitle']);
/** Numbers and dates that are on every slide. */
const ON_EVERY_SLIDE = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);

function slideHandler(emit: (block: string) => void): XmlHandler {
  const table = createTableWriter(emit);
  let placeholder = '';
  let paragraph = '';
  let isText = false;
  let isGraphic = false;

  function endParagraph(): void {
    const text = paragraph.trim();
    paragraph = '';
    if (text === '' || (ON_EVERY_SLIDE.has(placeholder) && !isGraphic)) return;
    if (table.isOpen()) table.text(text);
    else emit(TITLES.has(placeholder) ? `${headingLine(1, text)}\n` : `${text}\n`);
  }

  return {
    open(name, attributes) {
      if (name === 'sp') placeholder = '';
      else if (name === 'ph') placeholder = attributes.get('type') ?? 'other';
      else if (name === 'graphicFrame') isGraphic = true;
      else if (name === 't') isText = true;
      else if (name === 'br') paragraph += '\n';
      else if (name === 'tbl' || name === 'tr' || name === 'tc') table.open(name);
    },
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'graphicFrame') isGraphic = false;
      else if (name === 'p') endParagraph();
      else if (name === 'tbl' || name === 'tr' || name === 'tc') table.close(name);
    },
    text(text) {
      if (isText) paragraph += text;
    },
  };
}
