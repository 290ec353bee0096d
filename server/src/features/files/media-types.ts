import { zipTypeOf } from './zip-types.ts';

/** How many bytes at its beginning, and at its end, say what a file is. */
export const HEAD_BYTES = 64 * 1024;
export const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * The media type, from what the bytes are. The name and what the client claims only choose between types that look
 * the same, such as a table and a plain text. `tail` is the end of the file, where a zip archive lists its content.
 */
export function mediaTypeOf(
  head: Uint8Array,
  name: string,
  claimed: string | null = null,
  tail: Uint8Array = head,
): string {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const known = MAGIC.find(([, matches]) => matches(bytes))?.[0];
  if (known === ZIP)
    return zipTypeOf(bytes, Buffer.from(tail.buffer, tail.byteOffset, tail.length));
  if (known !== undefined) return known;
  const text = textOf(bytes);
  return text === undefined ? UNKNOWN_TYPE : textTypeOf(text, name, claimed);
}

/** What a client says, if it looks like a media type. */
export function claimedType(mediaType: string | undefined): string {
  const claimed = mediaType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,60}$/.test(claimed)
    ? claimed
    : UNKNOWN_TYPE;
}

/** Of which a text can be taken: of pictures, by reading what is on them. */
export function hasText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || READABLE.has(mediaType);
}

/** What a browser shows and can't run. */
export function mayBeInline(mediaType: string): boolean {
  return INLINE_PICTURES.has(mediaType) || mediaType === PDF;
}

/** Pictures that count as ones only if they can be decoded. */
export function isPicture(mediaType: string): boolean {
  return INLINE_PICTURES.has(mediaType) || OTHER_PICTURES.has(mediaType);
}

/** Whether there can be a preview of it. */
export function hasPreview(mediaType: string): boolean {
  return isPicture(mediaType) || mediaType === PDF;
}

export const PDF = 'application/pdf';
const ZIP = 'application/zip';
const INLINE_PICTURES = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
]);
const OTHER_PICTURES = new Set(['image/tiff', 'image/bmp']);
const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN = 'application/vnd.oasis.opendocument';
const READABLE = new Set([
  PDF,
  `${OFFICE}.wordprocessingml.document`,
  `${OFFICE}.spreadsheetml.sheet`,
  `${OFFICE}.presentationml.presentation`,
  `${OPEN}.text`,
  `${OPEN}.spreadsheet`,
  `${OPEN}.presentation`,
  'application/epub+zip',
  'application/json',
  'application/xml',
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/tiff',
  'image/gif',
  'image/bmp',
]);

type Matches = (bytes: Buffer) => boolean;

const at =
  (offset: number, ...values: (string | number[])[]): Matches =>
  (bytes) =>
    values.some((value) => {
      const expected = Buffer.from(value as string, 'latin1');
      return bytes.subarray(offset, offset + expected.length).equals(expected);
    });
const both =
  (...all: Matches[]): Matches =>
  (bytes) =>
    all.every((matches) => matches(bytes));
/** In the first KiB, as readers of PDF accept it. But what begins as HTML is HTML. */
const isPdf: Matches = (bytes) => {
  const found = bytes.subarray(0, 1024).indexOf('%PDF-', 0, 'latin1');
  return found === 0 || (found > 0 && !HTML.test(bytes.subarray(0, found).toString('latin1')));
};
const isAvif = both(at(4, 'ftyp'), at(8, 'avif', 'avis'));
const RIFF = at(0, 'RIFF');

/** The first that matches counts. */
const MAGIC: readonly (readonly [string, Matches])[] = [
  ['image/png', at(0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', at(0, [0xff, 0xd8, 0xff])],
  ['image/gif', isGif],
  ['image/webp', both(RIFF, at(8, 'WEBP'))],
  ['image/avif', isAvif],
  ['image/heic', both(at(4, 'ftyp'), at(8, 'heic', 'heix', 'mif1', 'msf1'))],
  ['image/tiff', at(0, [0x49, 0x49, 0x2a, 0x00], [0x4d, 0x4d, 0x00, 0x2a])],
  ['image/bmp', both(at(0, 'BM'), at(6, [0, 0, 0, 0]))],
  [PDF, isPdf],
  [ZIP, at(0, 'PK\u0003\u0004', 'PK\u0005\u0006')],
  ['application/gzip', at(0, [0x1f, 0x8b])],
  ['application/x-bzip2', at(0, 'BZh')],
  ['application/x-xz', at(0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])],
  ['application/zstd', at(0, [0x28, 0xb5, 0x2f, 0xfd])],
  ['application/x-7z-compressed', at(0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c])],
  ['application/vnd.rar', at(0, 'Rar!\u001a\u0007')],
  ['application/x-tar', at(257, 'ustar')],
  ['application/rtf', at(0, '{\\rtf')],
  // Old office formats share one container.
  ['application/x-cfb', at(0, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])],
  ['audio/mpeg', at(0, 'ID3', [0xff, 0xfb], [0xff, 0xf3], [0xff, 0xf2])],
  ['audio/ogg', at(0, 'OggS')],
  ['audio/flac', at(0, 'fLaC')],
  ['audio/wav', both(RIFF, at(8, 'WAVE'))],
  ['audio/mp4', both(at(4, 'ftyp'), at(8, 'M4A '))],
  ['video/x-msvideo', both(RIFF, at(8, 'AVI '))],
  ['video/quicktime', both(at(4, 'ftyp'), at(8, 'qt  '))],
  ['video/mp4', at(4, 'ftyp')],
  ['video/webm', at(0, [0x1a, 0x45, 0xdf, 0xa3])],
  ['font/woff', at(0, 'wOFF')],
  ['font/woff2', at(0, 'wOF2')],
  ['application/wasm', at(0, [0x00, 0x61, 0x73, 0x6d])],
];

/** Its header is followed by a block of a known kind; in a page that only begins like one, by anything. */
function isGif(bytes: Buffer): boolean {
  if (!at(0, 'GIF87a', 'GIF89a')(bytes) || bytes.length < 14) return false;
  const flags = bytes[10] ?? 0;
  const colours = flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
  return [0x21, 0x2c].includes(bytes[13 + colours] ?? 0);
}

const HTML = /<(!doctype\s+html|html|head|body|script|iframe|meta)\b/i;
const SVG = /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!doctype svg[^>]*>\s*)?<svg\b/i;

/** Undefined if it is no text in UTF-8 or UTF-16. A character that is cut off at the end is none. */
function textOf(bytes: Buffer): string | undefined {
  const isWide = at(0, [0xff, 0xfe], [0xfe, 0xff])(bytes);
  const encoding = !isWide ? 'utf-8' : bytes[0] === 0xff ? 'utf-16le' : 'utf-16be';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    // eslint-disable-next-line no-control-regex -- Control codes tell a text from other bytes.
    return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function textTypeOf(text: string, name: string, claimed: string | null): string {
  if (SVG.test(text)) return 'image/svg+xml';
  const named = TEXT_TYPES[extensionOf(name)];
  if (named === 'text/html' || HTML.test(text.slice(0, 1024))) {
    // A text about HTML, such as a page of Markdown or a program, is still one.
    return named === undefined || named === 'text/html' ? 'text/html' : named;
  }
  if (named !== undefined) return named;
  return claimed !== null && CLAIMABLE.has(claimed) ? claimed : 'text/plain';
}

const TEXT_TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  jsonl: 'application/jsonl',
  xml: 'application/xml',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'text/html',
  css: 'text/css',
  ics: 'text/calendar',
  vcf: 'text/vcard',
  txt: 'text/plain',
  log: 'text/plain',
  js: 'text/javascript',
  mjs: 'text/javascript',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};
const CLAIMABLE = new Set(['text/markdown', 'text/csv', 'application/json', 'text/calendar']);
/** Texts that are not called so. */
for (const type of Object.values(TEXT_TYPES)) if (!type.startsWith('text/')) READABLE.add(type);

function extensionOf(name: string): string {
  return /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}
