import { parseXml } from '../parts/xml-reader.ts';
import type { ZipReader } from '../parts/zip-reader.ts';
import { numberLabel } from './list-labels.ts';

/** Of a paragraph: which list it belongs to, and how deep. */
export interface ListPlace {
  list: string;
  depth: number;
}

export interface Numbering {
  /** What is before the next paragraph of this list, such as `4.2` or `-`. Undefined if it is in none. */
  next(place: ListPlace): string | undefined;
}

interface Level {
  start: number;
  format: string;
  /** `%1.%2` stands for the numbers of the first two levels. */
  text: string;
}

const LEVELS = 9;

/** Numbers are not in the text of a document. Word counts when it shows it, and so does this. */
export async function readNumbering(zip: ZipReader, part: string | undefined): Promise<Numbering> {
  const kinds = new Map<string, Level[]>();
  const kindOf = new Map<string, string>();
  /** Lists that start counting again, with the first number of each level. */
  const restarted = new Map<string, Map<number, number>>();
  const bytes = part === undefined ? undefined : await zip.readAll(part);
  let kind = '';
  let list = '';
  let depth = 0;
  const level = () => {
    const levels = kinds.get(kind) ?? [];
    kinds.set(kind, levels);
    return (levels[depth] ??= { start: 1, format: 'decimal', text: '' });
  };
  if (bytes) {
    parseXml(bytes, {
      open(name, attributes) {
        const value = attributes.get('val') ?? '';
        if (name === 'abstractNum') kind = attributes.get('abstractNumId') ?? '';
        else if (name === 'num') list = attributes.get('numId') ?? '';
        else if (name === 'abstractNumId') kindOf.set(list, value);
        else if (name === 'lvl' || name === 'lvlOverride') {
          depth = depthOf(attributes.get('ilvl'));
        } else if (name === 'startOverride') {
          const starts = restarted.get(list) ?? new Map<number, number>();
          restarted.set(list, starts.set(depth, Number(value) || 0));
        } else if (kind !== '' && list === '') {
          if (name === 'start') level().start = Number(value) || 0;
          else if (name === 'numFmt') level().format = value;
          else if (name === 'lvlText') level().text = value;
        }
      },
    });
  }
  return counting(kinds, kindOf, restarted);
}

export function depthOf(value: string | undefined): number {
  return Math.min(Math.max(Number(value ?? 0) || 0, 0), LEVELS - 1);
}

function counting(
  kinds: ReadonlyMap<string, readonly Level[]>,
  kindOf: ReadonlyMap<string, string>,
  restarted: ReadonlyMap<string, ReadonlyMap<number, number>>,
): Numbering {
  /** By list or, as several may go on counting together, by kind. */
  const counters = new Map<string, (number | undefined)[]>();
  return {
    next({ list, depth }) {
      if (list === '0') return undefined;
      const kind = kindOf.get(list) ?? '';
      const levels = kinds.get(kind) ?? [];
      const starts = restarted.get(list);
      const startOf = (at: number) => starts?.get(at) ?? levels[at]?.start ?? 1;
      const key = starts ? `list ${list}` : `kind ${kind}`;
      const counts = counters.get(key) ?? [];
      const before = counts[depth];
      counts[depth] = before === undefined ? startOf(depth) : before + 1;
      counters.set(key, counts.slice(0, depth + 1));
      const { format, text } = levels[depth] ?? { format: 'bullet', text: '' };
      if (format === 'bullet') return '-';
      if (format === 'none') return undefined;
      return text.replaceAll(/%([1-9])/g, (_written, digit: string) => {
        const at = Number(digit) - 1;
        return numberLabel(counts[at] ?? startOf(at), levels[at]?.format ?? 'decimal');
      });
    },
  };
}
