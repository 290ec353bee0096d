import { parseXml } from '../parts/xml-reader.ts';
import type { ZipReader } from '../parts/zip-reader.ts';
import { depthOf, type ListPlace } from './docx-numbering.ts';

export interface Styles {
  /** Of headings. */
  levels: ReadonlyMap<string, number>;
  /** Of lists. */
  lists: ReadonlyMap<string, ListPlace>;
}

/** Styles by id. Their names are English in every language of the program. */
export async function readStyles(zip: ZipReader, part: string | undefined): Promise<Styles> {
  const levels = new Map<string, number>();
  const lists = new Map<string, ListPlace>();
  const bytes = part === undefined ? undefined : await zip.readAll(part);
  if (!bytes) return { levels, lists };
  let style = '';
  const place = () => lists.get(style) ?? { list: '', depth: 0 };
  parseXml(bytes, {
    open(name, attributes) {
      const value = attributes.get('val') ?? '';
      if (name === 'style') style = attributes.get('styleId') ?? '';
      else if (name === 'name') {
        const level = /^title$/i.test(value) ? '1' : /^heading ([1-9])$/i.exec(value)?.[1];
        if (level !== undefined) levels.set(style, Number(level));
      } else if (name === 'numPr') lists.set(style, place());
      else if (name === 'numId') lists.set(style, { ...place(), list: value });
      else if (name === 'ilvl') lists.set(style, { ...place(), depth: depthOf(value) });
      else if (name === 'outlineLvl' && Number(value) < 9 && !levels.has(style)) {
        levels.set(style, Number(value) + 1);
      }
    },
  });
  return { levels, lists };
}
