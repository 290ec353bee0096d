import type { ReaderLimits } from '../limits.ts';
import { parseXml, readXml, type XmlAttributes, type XmlHandler } from '../parts/xml-reader.ts';
import type { ZipReader } from '../parts/zip-reader.ts';
import { headingLine, mainPart, openPackage, relationsOf } from './office-package.ts';
import { splitPages } from './split-pages.ts';
import { numbered, type TextSource } from './text-source.ts';

/** Word documents: headings by their styles, lists, tables, text boxes and notes. */
export async function readDocx(path: string, limits: ReaderLimits): Promise<TextSource> {
  const zip = await openPackage(path, limits);
  const main = await mainPart(zip, 'word/document.xml');
  return { pages: null, texts: numbered(splitPages(blocksOf(zip, main))) };
}

async function* blocksOf(zip: ZipReader, main: string): AsyncGenerator<string> {
  try {
    const relations = await relationsOf(zip, main);
    const targetOf = (type: string) => relations.find((one) => one.type === type)?.target;
    const styles = await stylesOf(zip, targetOf('styles'));
    yield* readXml(zip.read(main), (emit) => bodyHandler(emit, styles));
    for (const type of ['footnotes', 'endnotes', 'comments']) {
      const part = targetOf(type);
      if (part && zip.has(part))
        yield* readXml(zip.read(part), (emit) => bodyHandler(emit, styles));
    }
  } finally {
    await zip.close();
  }
}

interface Styles {
  /** Of headings. */
  levels: ReadonlyMap<string, number>;
  /** Of lists. */
  listed: ReadonlySet<string>;
}

/** Styles by id. Their names are English in every language of the program. */
async function stylesOf(zip: ZipReader, part: string | undefined): Promise<Styles> {
  const levels = new Map<string, number>();
  const listed = new Set<string>();
  const bytes = part === undefined ? undefined : await zip.readAll(part);
  if (!bytes) return { levels, listed };
  let style = '';
  parseXml(bytes, {
    open(name, attributes) {
      const value = attributes.get('val') ?? '';
      if (name === 'style') style = attributes.get('styleId') ?? '';
      else if (name === 'name') {
        const level = /^title$/i.test(value) ? '1' : /^heading ([1-9])$/i.exec(value)?.[1];
        if (level !== undefined) levels.set(style, Number(level));
      } else if (name === 'numPr') listed.add(style);
      else if (name === 'outlineLvl' && Number(value) < 9 && !levels.has(style)) {
        levels.set(style, Number(value) + 1);
      }
    },
  });
  return { levels, listed };
}

interface Paragraph {
  text: string;
  level: number;
  isListed: boolean;
}

function bodyHandler(emit: (block: string) => void, { levels, listed }: Styles): XmlHandler {
  /** Innermost last: a text box is a paragraph inside another. */
  const paragraphs: Paragraph[] = [];
  const table = createTableWriter(emit);
  let isText = false;
  let skipped = 0;
  let inProperties = 0;

  function openInParagraph(name: string, attributes: XmlAttributes, inside: Paragraph): void {
    if (name === 't') isText = true;
    else if (name === 'pPr') inProperties++;
    else if (name === 'tab' && inProperties === 0) inside.text += '\t';
    else if (name === 'br' || name === 'cr') inside.text += '\n';
    else if (name === 'noBreakHyphen') inside.text += '-';
    else if (name === 'numPr') inside.isListed = true;
    else if (name === 'pStyle') {
      const style = attributes.get('val') ?? '';
      inside.level = levels.get(style) ?? 0;
      inside.isListed ||= listed.has(style);
    } else if (name === 'outlineLvl') inside.level = Number(attributes.get('val') ?? 9) + 1;
  }

  function endParagraph({ text, level, isListed }: Paragraph): void {
    const trimmed = text.trim();
    if (trimmed === '') return;
    if (table.isOpen()) table.text(trimmed);
    else if (level > 0 && level < 10) emit(`${headingLine(level, trimmed)}\n\n`);
    else emit(isListed ? `- ${trimmed}\n` : `${trimmed}\n\n`);
  }

  return {
    open(name, attributes) {
      // The same text again, for programs that don't know the first form.
      if (name === 'Fallback' || skipped > 0) skipped++;
      else if (name === 'p') paragraphs.push({ text: '', level: 0, isListed: false });
      else if (name === 'tbl' || name === 'tr' || name === 'tc') table.open(name);
      else {
        const inside = paragraphs.at(-1);
        if (inside) openInParagraph(name, attributes, inside);
      }
    },
    close(name) {
      if (skipped > 0) skipped--;
      else if (name === 't') isText = false;
      else if (name === 'pPr') inProperties--;
      else if (name === 'p')
        endParagraph(paragraphs.pop() ?? { text: '', level: 0, isListed: false });
      else if (name === 'tbl' || name === 'tr' || name === 'tc') table.close(name);
    },
    text(text) {
      const inside = paragraphs.at(-1);
      if (inside && isText && skipped === 0) inside.text += text;
    },
  };
}

/** Rows of the outermost table. What is in tables inside a cell belongs to the cell. */
export function createTableWriter(emit: (block: string) => void) {
  let depth = 0;
  let cells: string[] = [];
  let cell: string[] = [];
  return {
    isOpen: () => depth > 0,
    text: (text: string) => void cell.push(text.replaceAll(/\s+/g, ' ')),
    open(name: 'tbl' | 'tr' | 'tc') {
      if (name === 'tbl') depth++;
    },
    close(name: 'tbl' | 'tr' | 'tc') {
      if (name === 'tbl') {
        depth = Math.max(0, depth - 1);
        if (depth === 0) emit('\n');
      } else if (depth === 1 && name === 'tc') {
        cells.push(cell.join(' '));
        cell = [];
      } else if (depth === 1) {
        if (cells.some(Boolean)) emit(`${cells.join(' | ')}\n`);
        cells = [];
      }
    },
  };
}
