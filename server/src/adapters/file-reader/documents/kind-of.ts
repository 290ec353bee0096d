import type { FileToRead } from '../file-reader.ts';

export type DocumentKind =
  | 'pdf'
  | 'picture'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'odt'
  | 'ods'
  | 'odp'
  | 'epub'
  | 'html'
  | 'csv'
  | 'json'
  | 'text';

const OFFICE = 'application/vnd.openxmlformats-officedocument.';
const MACROS = 'application/vnd.ms-';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.';

/** By the start of the media type. Documents with macros are read, and their macros are not. */
const KINDS: readonly (readonly [string, DocumentKind])[] = [
  ['application/pdf', 'pdf'],
  [`${OFFICE}wordprocessingml`, 'docx'],
  [`${OFFICE}spreadsheetml`, 'xlsx'],
  [`${OFFICE}presentationml`, 'pptx'],
  [`${MACROS}word.document.macroenabled`, 'docx'],
  [`${MACROS}word.template.macroenabled`, 'docx'],
  [`${MACROS}excel.sheet.macroenabled`, 'xlsx'],
  [`${MACROS}excel.template.macroenabled`, 'xlsx'],
  [`${MACROS}powerpoint.presentation.macroenabled`, 'pptx'],
  [`${MACROS}powerpoint.slideshow.macroenabled`, 'pptx'],
  [`${OPEN_DOCUMENT}text`, 'odt'],
  [`${OPEN_DOCUMENT}spreadsheet`, 'ods'],
  [`${OPEN_DOCUMENT}presentation`, 'odp'],
  ['application/epub+zip', 'epub'],
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/csv', 'csv'],
  ['text/tab-separated-values', 'csv'],
  ['application/json', 'json'],
];

const PICTURES = /^image\/(?:png|jpe?g|webp|gif|tiff?|bmp|x-ms-bmp|avif)$/;
const OTHER_TEXT =
  /^(?:text\/(?!rtf)|application\/(?:xml|javascript|ecmascript|yaml|toml|sql|graphql|x-(?!zip|tar|gzip|bzip|7z|rar)[\w.-]*(?:sh|script|yaml|toml|sql|json|perl|python|ruby|php|tex|httpd-php)\b)|[\w.-]+\/[\w.-]+\+(?:json|yaml)$)/;

export function kindOf({ mediaType }: Pick<FileToRead, 'mediaType'>): DocumentKind | undefined {
  const [type = ''] = mediaType.toLowerCase().split(';');
  const bare = type.trim();
  if (PICTURES.test(bare)) return 'picture';
  const known = KINDS.find(([start]) => bare.startsWith(start))?.[1];
  return known ?? (OTHER_TEXT.test(bare) ? 'text' : undefined);
}
