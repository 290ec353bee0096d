import type { XmlAttributes, XmlHandler } from '../parts/xml-reader.ts';
import { indented, listLine } from './list-labels.ts';
import { createOdfLists } from './odf-lists.ts';
import { headingLine } from './office-package.ts';
import { createTableWriter } from './table-writer.ts';

/** Deleted text, notes between reviewers, numbers of notes, and fonts. */
const SKIPPED = new Set(['tracked-changes', 'annotation', 'note-citation', 'font-face-decls']);
const MOST_SPACES = 100;

export interface OdfParagraph {
  text: string;
  /** Of a heading, or 0. */
  level: number;
  /** How many lists it is in, and its mark if it is the first of its item. */
  depth: number;
  label: string | undefined;
}

/** Collects paragraphs and headings, wherever they are. */
export function paragraphHandler(
  onParagraph: (paragraph: OdfParagraph) => void,
  others: XmlHandler = {},
): XmlHandler {
  const paragraphs: { text: string; level: number }[] = [];
  const lists = createOdfLists();
  /** Notes of the paragraph that is open, which come after it. */
  const notes: OdfParagraph[] = [];
  let noteCount = 0;
  let inNote = 0;
  let skipped = 0;
  let isStyle = false;

  function endParagraph(): void {
    const { text, level } = paragraphs.pop() ?? { text: '', level: 0 };
    const trimmed = text.trim();
    if (inNote > 0 && trimmed !== '') {
      notes.push({ text: `[^${noteCount}]: ${trimmed}`, level: 0, depth: 0, label: undefined });
    } else if (trimmed !== '') onParagraph({ text: trimmed, level, ...lists.place() });
    if (inNote === 0) for (const note of notes.splice(0)) onParagraph(note);
  }

  return {
    open(name, attributes) {
      if (skipped > 0 || SKIPPED.has(name)) skipped++;
      else if (name === 'automatic-styles') isStyle = true;
      else if (isStyle) lists.style(name, attributes);
      else if (name === 'p') paragraphs.push({ text: '', level: levelOfStyle(attributes) });
      else if (name === 'h') paragraphs.push({ text: '', level: levelOf(attributes) });
      else if (name === 'note') {
        inNote++;
        const inside = paragraphs.at(-1);
        if (inside) inside.text += `[^${++noteCount}]`;
      } else if (name === 'list') lists.open(attributes);
      else if (name === 'list-item') lists.item(attributes);
      else {
        const inside = paragraphs.at(-1);
        if (inside) inside.text += whiteSpace(name, attributes);
        others.open?.(name, attributes);
      }
    },
    close(name) {
      if (skipped > 0) skipped--;
      else if (name === 'automatic-styles') isStyle = false;
      else if (name === 'list') lists.close();
      else if (name === 'note') inNote--;
      else if (name === 'p' || name === 'h') endParagraph();
      else others.close?.(name);
    },
    text(text) {
      const inside = paragraphs.at(-1);
      if (inside && skipped === 0) inside.text += text.replaceAll(/\s+/g, ' ');
    },
  };
}

/** Some programs give paragraphs the look of a heading only. */
function levelOfStyle(attributes: XmlAttributes): number {
  const level = /^(?:Title|Heading_20_([1-9]))$/.exec(attributes.get('style-name') ?? '');
  return level ? Number(level[1] ?? 1) : 0;
}

function levelOf(attributes: XmlAttributes): number {
  return Number(attributes.get('outline-level') ?? 1) || 1;
}

function whiteSpace(name: string, attributes: XmlAttributes): string {
  if (name === 'tab') return '\t';
  if (name === 'line-break') return '\n';
  if (name !== 's') return '';
  return ' '.repeat(Math.min(Math.max(Number(attributes.get('c') ?? 1) || 1, 1), MOST_SPACES));
}

/** Elements of tables, by what they are called elsewhere. */
const TABLE: Readonly<Record<string, 'tbl' | 'tr' | 'tc'>> = {
  table: 'tbl',
  'table-row': 'tr',
  'table-cell': 'tc',
};

export function textHandler(emit: (block: string) => void): XmlHandler {
  const table = createTableWriter(emit);
  let isList = false;
  const write = ({ text, level, depth, label }: OdfParagraph) => {
    if (table.isOpen()) {
      table.text(label && label !== '-' ? `${label} ${text}` : text);
      return;
    }
    const wasList = isList;
    isList = depth > 0 && level === 0;
    if (wasList && !isList) emit('\n');
    if (level > 0) emit(`${headingLine(level, text)}\n\n`);
    else if (depth === 0) emit(`${text}\n\n`);
    else emit(label === undefined ? indented(depth, text) : listLine(depth - 1, label, text));
  };
  return paragraphHandler(write, {
    open(name, attributes) {
      const part = TABLE[name];
      if (part === 'tbl' && isList) emit('\n');
      isList &&= part !== 'tbl';
      if (part) table.open(part);
      if (part !== 'tc') return;
      const count = (of: string) => Number(attributes.get(`number-${of}-spanned`) ?? 1) || 1;
      table.span({ columns: count('columns'), rows: count('rows') });
    },
    close(name) {
      const part = TABLE[name];
      if (part) table.close(part);
    },
  });
}

/** Emits each slide with its notes. */
export function presentationHandler(emit: (slide: string) => void): XmlHandler {
  let blocks: string[] = [];
  let isTitle = false;
  const table = createTableWriter((block) => void blocks.push(block));
  const write = ({ text }: OdfParagraph) => {
    if (table.isOpen()) table.text(text);
    else blocks.push(isTitle ? `${headingLine(1, text)}\n` : `${text}\n`);
  };
  return paragraphHandler(write, {
    open(name, attributes) {
      const part = TABLE[name];
      if (part) table.open(part);
      else if (name === 'page') blocks = [];
      else if (name === 'notes') blocks.push('\nNotes:\n');
      else if (name === 'frame') isTitle = attributes.get('presentation:class') === 'title';
    },
    close(name) {
      const part = TABLE[name];
      if (part) table.close(part);
      else if (name === 'frame') isTitle = false;
      else if (name === 'page') emit(blocks.join('').replace(/\n*Notes:\n$/, ''));
    },
  });
}
