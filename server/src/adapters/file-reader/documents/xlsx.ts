import type { ReaderLimits } from '../limits.ts';
import { parseXml, readXml, type XmlHandler } from '../parts/xml-reader.ts';
import type { ZipReader } from '../parts/zip-reader.ts';
import { dateFormats, formatDate } from './excel-dates.ts';
import { mainPart, openPackage, relationsOf } from './office-package.ts';
import { pagesOfSheet } from './sheet-pages.ts';
import { numbered, type TextSource } from './text-source.ts';

/** Workbooks: each sheet is a page, or several if it is long. */
export async function readXlsx(path: string, limits: ReaderLimits): Promise<TextSource> {
  const zip = await openPackage(path, limits);
  return { pages: null, texts: numbered(pagesOf(zip)) };
}

interface Sheet {
  name: string;
  part: string;
}

interface Book {
  strings: readonly string[];
  dates: ReadonlySet<number>;
  is1904: boolean;
}

async function* pagesOf(zip: ZipReader): AsyncGenerator<string> {
  try {
    const main = await mainPart(zip, 'xl/workbook.xml');
    const relations = await relationsOf(zip, main);
    const { sheets, is1904 } = await sheetsOf(zip, main, relations);
    const partOf = (kind: string) => relations.find(({ type }) => type === kind)?.target;
    const strings = await sharedStrings(zip, partOf('sharedStrings'));
    const dates = await dateFormats(zip, partOf('styles'));
    const book: Book = { strings, dates, is1904 };
    for (const { name, part } of sheets) {
      yield* pagesOfSheet(
        name,
        readXml(zip.read(part), (emit) => rowHandler(emit, book)),
      );
    }
  } finally {
    await zip.close();
  }
}

async function sheetsOf(
  zip: ZipReader,
  main: string,
  relations: readonly { id: string; target: string; type: string }[],
): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const targets = new Map(relations.map(({ id, target }) => [id, target]));
  const sheets: Sheet[] = [];
  let is1904 = false;
  parseXml((await zip.readAll(main)) ?? Buffer.alloc(0), {
    open(element, attributes) {
      if (element === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.get('date1904') ?? '');
      if (element !== 'sheet') return;
      const part = targets.get(attributes.get('r:id') ?? '');
      const name = attributes.get('name') ?? '';
      if (part !== undefined && part.includes('worksheets/') && zip.has(part)) {
        sheets.push({ name, part });
      }
    },
  });
  return { sheets, is1904 };
}

/** Texts that cells name by their number, without how they are pronounced. */
async function sharedStrings(zip: ZipReader, part: string | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (part === undefined || !zip.has(part)) return strings;
  for await (const text of readXml<string>(zip.read(part), stringHandler)) strings.push(text);
  return strings;
}

function stringHandler(emit: (text: string) => void): XmlHandler {
  let text = '';
  let isText = false;
  let isPronunciation = false;
  return {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') isPronunciation = true;
      else if (name === 't') isText = !isPronunciation;
    },
    close(name) {
      if (name === 'si') emit(text);
      else if (name === 'rPh') isPronunciation = false;
      else if (name === 't') isText = false;
    },
    text(more) {
      if (isText) text += more;
    },
  };
}

const MOST_COLUMNS = 16_384;

function rowHandler(emit: (row: string[]) => void, book: Book): XmlHandler {
  let row: string[] = [];
  let cell = { column: 0, type: '', style: 0, value: '' };
  let isValue = false;
  return {
    open(name, attributes) {
      if (name === 'row') row = [];
      else if (name === 'c') {
        const column = columnOf(attributes.get('r')) ?? row.length;
        const style = Number(attributes.get('s') ?? -1);
        cell = { column, type: attributes.get('t') ?? 'n', style, value: '' };
      } else if (name === 'v' || name === 't') isValue = true;
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false;
      else if (name === 'c' && cell.column < MOST_COLUMNS) {
        const value = valueOf(cell, book);
        if (value === '') return;
        while (row.length < cell.column) row.push('');
        row[cell.column] = value;
      } else if (name === 'row' && row.length > 0) emit(row);
    },
    text(text) {
      if (isValue) cell.value += text;
    },
  };
}

/** `AB12` is column 27. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  return Buffer.from(letters).reduce((sum, code) => sum * 26 + code - 64, 0) - 1;
}

function valueOf(cell: { type: string; style: number; value: string }, book: Book): string {
  const { type, value } = cell;
  if (type === 's') return book.strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n' || value === '') return value;
  if (book.dates.has(cell.style)) return formatDate(Number(value), book.is1904);
  return tidyNumber(value);
}

/** 0.30000000000000004 is stored where 0.3 is shown. */
function tidyNumber(value: string): string {
  const number = Number(value);
  return Number.isFinite(number) ? String(Number(number.toPrecision(15))) : value;
}
