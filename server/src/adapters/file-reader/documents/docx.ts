import type { ReaderLimits } from '../limits.ts';
import { readXml, type XmlAttributes, type XmlHandler } from '../parts/xml-reader.ts';
import type { ZipReader } from '../parts/zip-reader.ts';
import { depthOf, readNumbering, type ListPlace, type Numbering } from './docx-numbering.ts';
import { readStyles, type Styles } from './docx-styles.ts';
import { listLine } from './list-labels.ts';
import { headingLine, mainPart, openPackage, relationsOf } from './office-package.ts';
import { splitPages } from './split-pages.ts';
import { createTableWriter } from './table-writer.ts';
import { numbered, type TextSource } from './text-source.ts';

/** Word documents: headings by their styles, lists with their numbers, tables, text boxes and notes. */
export async function readDocx(path: string, limits: ReaderLimits): Promise<TextSource> {
  const zip = await openPackage(path, limits);
  const main = await mainPart(zip, 'word/document.xml');
  return { pages: null, texts: numbered(splitPages(blocksOf(zip, main))) };
}

async function* blocksOf(zip: ZipReader, main: string): AsyncGenerator<string> {
  try {
    const relations = await relationsOf(zip, main);
    const targetOf = (type: string) => relations.find((one) => one.type === type)?.target;
    const styles = await readStyles(zip, targetOf('styles'));
    const numbering = await readNumbering(zip, targetOf('numbering'));
    const notes = createNotes();
    const about = { styles, numbering, notes };
    yield* readXml(zip.read(main), (emit) => bodyHandler(emit, about));
    for (const type of ['footnotes', 'endnotes', 'comments']) {
      const part = targetOf(type);
      if (part && zip.has(part)) yield* readXml(zip.read(part), (emit) => bodyHandler(emit, about));
    }
  } finally {
    await zip.close();
  }
}

/** Footnotes and endnotes, numbered in the order in which the text refers to them. */
function createNotes() {
  const numbers = new Map<string, number>();
  return {
    mark(kind: string, id: string | undefined): string {
      const key = `${kind} ${id ?? ''}`;
      if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
      return `[^${numbers.get(key)}]`;
    },
  };
}

interface About {
  styles: Styles;
  numbering: Numbering;
  notes: ReturnType<typeof createNotes>;
}

interface Paragraph {
  text: string;
  level: number;
  place: ListPlace | undefined;
}

/** The same text again, what was moved away, and how it looked before. */
const SKIPPED = new Set(['Fallback', 'moveFrom', 'pPrChange']);
const TABLE = new Set(['tbl', 'tr', 'tc']);
const isOfTable = (name: string): name is 'tbl' | 'tr' | 'tc' => TABLE.has(name);

function bodyHandler(
  emit: (block: string) => void,
  { styles, numbering, notes }: About,
): XmlHandler {
  /** Innermost last: a text box is a paragraph inside another. */
  const paragraphs: Paragraph[] = [];
  const table = createTableWriter(emit);
  let isText = false;
  let isList = false;
  let skipped = 0;
  let inProperties = 0;
  /** Before the first paragraph of a note. */
  let mark = '';

  function openInParagraph(name: string, attributes: XmlAttributes, inside: Paragraph): void {
    const value = attributes.get('val');
    const place = inside.place ?? { list: '', depth: 0 };
    if (name === 't') isText = true;
    else if (name === 'pPr') inProperties++;
    else if (name === 'tab' && inProperties === 0) inside.text += '\t';
    else if (name === 'br' || name === 'cr') inside.text += '\n';
    else if (name === 'noBreakHyphen') inside.text += '-';
    else if (name === 'footnoteReference' || name === 'endnoteReference') {
      inside.text += notes.mark(name.slice(0, -9), attributes.get('id'));
    } else if (name === 'numPr') inside.place = place;
    else if (name === 'numId' && inside.place) inside.place = { ...place, list: value ?? '' };
    else if (name === 'ilvl' && inside.place) inside.place = { ...place, depth: depthOf(value) };
    else if (name === 'pStyle') {
      inside.level = styles.levels.get(value ?? '') ?? 0;
      inside.place ??= styles.lists.get(value ?? '');
    } else if (name === 'outlineLvl') inside.level = Number(value ?? 9) + 1;
  }

  function endParagraph({ text, level, place }: Paragraph): void {
    const trimmed = text.trim();
    if (trimmed === '') return;
    const label = place && numbering.next(place);
    const written = `${mark}${trimmed}`;
    mark = '';
    if (table.isOpen()) {
      table.text(label ? `${label} ${written}` : written);
      return;
    }
    const isHeading = level > 0 && level < 10;
    const wasList = isList;
    isList = !isHeading && label !== undefined;
    if (wasList && !isList) emit('\n');
    if (isList) emit(listLine(place?.depth ?? 0, label ?? '', written));
    else if (!isHeading) emit(`${written}\n\n`);
    else
      emit(`${headingLine(level, label && label !== '-' ? `${label} ${written}` : written)}\n\n`);
  }

  return {
    open(name, attributes) {
      if (SKIPPED.has(name) || skipped > 0) skipped++;
      else if (name === 'p') paragraphs.push({ text: '', level: 0, place: undefined });
      else if (isOfTable(name)) {
        if (name === 'tbl' && isList) emit('\n');
        isList &&= name !== 'tbl';
        table.open(name);
      } else if (name === 'gridSpan') table.span({ columns: Number(attributes.get('val')) || 1 });
      else if (name === 'vMerge') table.span({ isContinued: attributes.get('val') !== 'restart' });
      else if (name === 'footnote' || name === 'endnote') {
        const isNote = (attributes.get('type') ?? 'normal') === 'normal';
        mark = isNote ? `${notes.mark(name, attributes.get('id'))}: ` : '';
      } else {
        const inside = paragraphs.at(-1);
        if (inside) openInParagraph(name, attributes, inside);
      }
    },
    close(name) {
      if (skipped > 0) skipped--;
      else if (name === 't') isText = false;
      else if (name === 'pPr') inProperties--;
      else if (name === 'p') {
        const ended = paragraphs.pop();
        if (ended) endParagraph(ended);
      } else if (isOfTable(name)) table.close(name);
    },
    text(text) {
      const inside = paragraphs.at(-1);
      if (inside && isText && skipped === 0) inside.text += text;
    },
  };
}
