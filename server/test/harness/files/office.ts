import { makeZip } from './zip.ts';

export const MEDIA_TYPES = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  docm: 'application/vnd.ms-word.document.macroEnabled.12',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  tiff: 'image/tiff',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
  svg: 'image/svg+xml',
  html: 'text/html',
  csv: 'text/csv',
  json: 'application/json',
  md: 'text/markdown',
  txt: 'text/plain',
} as const;

const TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>';
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const P =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

const STYLES = `<w:styles ${W}>
  <w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>
  <w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>
  <w:style w:styleId="Liste"><w:name w:val="List Bullet"/><w:pPr><w:numPr/></w:pPr></w:style>
</w:styles>`;

/** `body` is the XML inside of the document. */
export function makeDocx(body: string, more: Record<string, string | Buffer> = {}): Buffer {
  return makeZip({
    '[Content_Types].xml': TYPES,
    '_rels/.rels': relations({ R1: ['officeDocument', 'word/document.xml'] }),
    'word/_rels/document.xml.rels': relations({
      R1: ['styles', 'styles.xml'],
      R2: ['footnotes', 'footnotes.xml'],
    }),
    'word/styles.xml': STYLES,
    'word/document.xml': `<?xml version="1.0"?><w:document ${W}><w:body>${body}</w:body></w:document>`,
    ...more,
  });
}

/** Styles are those of a German Word: Titel, berschrift2, Liste. */
export function paragraph(text: string, style = ''): string {
  const properties = style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${properties}<w:r><w:t>${text}</w:t></w:r></w:p>`;
}

export interface Slide {
  title: string;
  body?: string;
  notes?: string;
}

/** Files are named in reverse, so that only the list of slides says which comes first. */
export function makePptx(slides: readonly Slide[]): Buffer {
  const entries: Record<string, string> = {
    '[Content_Types].xml': TYPES,
    '_rels/.rels': relations({ R1: ['officeDocument', 'ppt/presentation.xml'] }),
  };
  const parts: Record<string, [string, string]> = {};
  for (const [index, { title, body = '', notes }] of slides.entries()) {
    const name = `slide${slides.length - index}.xml`;
    parts[`rId${index + 1}`] = ['slide', `slides/${name}`];
    entries[`ppt/slides/${name}`] =
      `<p:sld ${P}>${shape('title', title)}${shape('body', body)}${shape('sldNum', '7')}</p:sld>`;
    if (notes === undefined) continue;
    entries[`ppt/slides/_rels/${name}.rels`] = relations({
      R1: ['notesSlide', `../notesSlides/${name}`],
    });
    entries[`ppt/notesSlides/${name}`] =
      `<p:notes ${P}>${shape('sldNum', '1')}${shape('body', notes)}</p:notes>`;
  }
  const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`);
  entries['ppt/presentation.xml'] =
    `<p:presentation ${P}><p:sldIdLst>${ids.join('')}</p:sldIdLst></p:presentation>`;
  entries['ppt/_rels/presentation.xml.rels'] = relations(parts);
  return makeZip(entries);
}

function shape(kind: string, text: string): string {
  return `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${kind}"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
}

/** One sheet with these rows, as texts that are shared. */
export function makeXlsx(rows: readonly (readonly string[])[], name = 'Sheet1'): Buffer {
  const S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const strings = rows.flat().map((text) => `<si><t>${text}</t></si>`);
  let next = 0;
  const written = rows.map(
    (row) => `<row>${row.map(() => `<c t="s"><v>${next++}</v></c>`).join('')}</row>`,
  );
  return makeZip({
    '[Content_Types].xml': TYPES,
    '_rels/.rels': relations({ R1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/_rels/workbook.xml.rels': relations({
      R1: ['worksheet', 'worksheets/sheet1.xml'],
      R2: ['sharedStrings', 'sharedStrings.xml'],
    }),
    'xl/workbook.xml': `<workbook ${S} xmlns:r="x"><sheets><sheet name="${name}" r:id="R1"/></sheets></workbook>`,
    'xl/sharedStrings.xml': `<sst ${S}>${strings.join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${S}><sheetData>${written.join('')}</sheetData></worksheet>`,
  });
}

export function relations(parts: Readonly<Record<string, readonly [string, string]>>): string {
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const rows = Object.entries(parts).map(
    ([id, [type, target]]) =>
      `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows.join('')}</Relationships>`;
}
