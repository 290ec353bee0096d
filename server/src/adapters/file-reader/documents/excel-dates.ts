import { parseXml } from '../parts/xml-reader.ts';
import type { ZipReader } from '../parts/zip-reader.ts';

/** Formats that every workbook has without declaring them. */
const BUILT_IN_DATES = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);

/** The styles of cells, by number, whose numbers are dates. */
export async function dateFormats(
  zip: ZipReader,
  part: string | undefined,
): Promise<ReadonlySet<number>> {
  const dates = new Set<number>();
  const bytes = part === undefined ? undefined : await zip.readAll(part);
  if (!bytes) return dates;
  const dateIds = new Set(BUILT_IN_DATES);
  let isCellFormats = false;
  let style = 0;
  parseXml(bytes, {
    open(name, attributes) {
      const id = Number(attributes.get('numFmtId') ?? -1);
      if (name === 'cellXfs') isCellFormats = true;
      else if (name === 'numFmt') {
        if (isDate(attributes.get('formatCode') ?? '')) dateIds.add(id);
      } else if (name === 'xf' && isCellFormats) {
        if (dateIds.has(id)) dates.add(style);
        style++;
      }
    },
    close(name) {
      if (name === 'cellXfs') isCellFormats = false;
    },
  });
  return dates;
}

/** Days, months, years, hours or seconds, outside of quotes and colours. */
function isDate(format: string): boolean {
  const bare = format.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, '');
  return /[dyhs]|m{1,5}/i.test(bare) && !/[#?]/.test(bare);
}

const DAY_MS = 86_400_000;
/** The day 0, such that 1 March 1900 is 61: the calendar of spreadsheets has a 29 February 1900. */
const ZERO = Date.UTC(1899, 11, 30);
const ZERO_1904 = Date.UTC(1904, 0, 1);

export function formatDate(days: number, is1904: boolean): string {
  const at = new Date((is1904 ? ZERO_1904 : ZERO) + Math.round(days * 86_400) * 1000);
  if (Number.isNaN(at.getTime())) return String(days);
  const [date = '', time = ''] = at.toISOString().split(/[T.]/);
  if (days >= 0 && days < 1) return time;
  return at.getTime() % DAY_MS === 0 ? date : `${date} ${time}`;
}
