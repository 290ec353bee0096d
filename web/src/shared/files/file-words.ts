import type { Attachment, File as StoredFile } from '@atrium/sdk';

const NUMBER = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const WHOLE = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const UNITS = ['KB', 'MB', 'GB', 'TB'];

/** As the limits are counted: 1 MB is 1,048,576 bytes. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${WHOLE.format(bytes)} bytes`;
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length);
  const value = bytes / 1024 ** power;
  return `${(value < 10 ? NUMBER : WHOLE).format(value)} ${UNITS[power - 1]}`;
}

const TYPES: [RegExp, string][] = [
  [/^image\//, 'Picture'],
  [/^video\//, 'Video'],
  [/^audio\//, 'Audio'],
  [/^application\/pdf$/, 'PDF'],
  [/wordprocessingml|msword|opendocument\.text|rtf/, 'Document'],
  [/spreadsheetml|ms-excel|opendocument\.spreadsheet|text\/csv/, 'Spreadsheet'],
  [/presentationml|ms-powerpoint|opendocument\.presentation/, 'Presentation'],
  [/epub/, 'Book'],
  [/zip|x-tar|gzip|x-7z|x-rar|x-bzip|zstd/, 'Archive'],
  [/markdown/, 'Markdown'],
  [/html/, 'HTML'],
  [/json/, 'JSON'],
  [/^text\//, 'Text'],
];

/** What kind of file it is, and if that says little, how its name ends: "Picture", "PDF", "BLEND file". */
export function typeInWords({ mediaType, name }: Pick<Attachment, 'mediaType' | 'name'>): string {
  const type = TYPES.find(([pattern]) => pattern.test(mediaType))?.[1];
  if (type !== undefined) return type;
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1];
  return ending === undefined ? 'File' : `${ending.toUpperCase()} file`;
}

type Shown = Pick<Attachment, 'status'> & Partial<Pick<StoredFile, 'reason'>>;

/** Why a file can't be opened (yet). Undefined if it can. */
export function statusInWords({ status, reason }: Shown): string | undefined {
  if (status === 'READY') return undefined;
  const isLost = status === 'REFUSED' || status === 'FAILED';
  return (isLost && reason) || WORDS[status];
}

const WORDS: Record<Exclude<Attachment['status'], 'READY'>, string> = {
  UPLOADING: 'Still being uploaded',
  CHECKING: 'Being checked…',
  REFUSED: 'Refused: the virus scanner found something in it',
  FAILED: 'Couldn’t be stored. Upload it again.',
};

/** Types that browsers show, and that the server makes pictures of. */
const PICTURES = /^image\/(png|jpeg|gif|webp|avif|bmp|tiff)$/;

/** Whether a picture of it can be shown in its place, whose size is known. */
export function isPicture<T extends Pick<Attachment, 'mediaType' | 'status' | 'image'>>(
  file: T,
): file is T & { image: NonNullable<T['image']> } {
  return file.status === 'READY' && file.image !== null && PICTURES.test(file.mediaType);
}

export function isPdf({ mediaType }: Pick<Attachment, 'mediaType'>): boolean {
  return mediaType === 'application/pdf';
}
