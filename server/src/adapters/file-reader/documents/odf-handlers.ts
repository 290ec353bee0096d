import type { XmlAttributes, XmlHandler } from '../parts/xml-reader.ts';
import { createTableWriter } from './docx.ts';
import { headingLine } from './office-package.ts';

/** Deleted text, notes between reviewers, and styles. */
const SKIPPED = new Set(['tracked-changes', 'annotation', 'font-face-decls', 'automatic-styles']);
const MOST_SPACES = 100;

/** Collects paragraphs and headings, wherever they are. */
export function paragraphHandler(
  onParagraph: (text: string, level: number, depth: number) => void,
  others: XmlHandler = {},
): XmlHandler {
  const paragraphs: { text: string; level: number }[] = [];
  let skipped = 0;
  let lists = 0;
  return {
    open(name, attributes) {
      if (skipped > 0 || SKIPPED.has(name)) skipped++;
      else if (name === 'p') paragraphs.push({ text: '', level: 0 });
      else if (name === 'h') paragraphs.push({ text: '', level: levelOf(attributes) });
      else if (name === 'list') lists++;
      else {
        const inside = paragraphs.at(-1);
        if (inside) inside.text += whiteSpace(name, attributes);
        others.open?.(name, attributes);
      }
    },
    close(name) {
      if (skipped > 0) skipped--;
      else if (name === 'list') lists--;
      else if (name === 'p' || name === 'h') {
        const { text, level } = paragraphs.pop() ?? { text: '', level: 0 };
        if (text.trim() !== '') onParagraph(text.trim(), level, lists);
      } else others.close?.(name);
    },
    text(text) {
      const inside = paragraphs.at(-1);
      if (inside && skipped === 0) inside.text += text.replaceAll(/\s+/g, ' ');
    },
  };
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
  const write = (text: string, level: number, lists: number) => {
    if (table.isOpen()) table.text(text);
    else if (level > 0) emit(`${headingLine(level, text)}\n\n`);
    else emit(lists > 0 ? `- ${text}\n` : `${text}\n\n`);
  };
  return paragraphHandler(write, {
    open(name) {
      const part = TABLE[name];
      if (part) table.open(part);
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
  const write = (text: string) => {
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
