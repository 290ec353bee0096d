/** A piece of text on a page. */
export interface PdfText {
  text: string;
  size?: number;
  x?: number;
  /** From the bottom. */
  y?: number;
}

export interface PdfPage {
  texts?: readonly PdfText[];
  /** A JPEG from the top, as wide as the page. */
  jpeg?: { data: Buffer; width: number; height: number };
  /** More operators, and the resources that they name. */
  content?: string;
  resources?: string;
  /** Entries of its dictionary. */
  more?: string;
}

/** An object as it is written between `obj` and `endobj`. */
type PdfObject = string | Buffer;

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';

/**
 * A PDF of these pages. `extra` are objects with numbers from 5 on, `catalog` goes into the first object. Objects 3
 * and 4 are fonts.
 */
export function makePdf(
  pages: readonly PdfPage[],
  { extra = [], catalog = '' }: { extra?: readonly PdfObject[]; catalog?: string } = {},
): Buffer {
  const objects: PdfObject[] = [
    '',
    '',
    FONT,
    FONT.replace('Helvetica', 'Helvetica-Bold'),
    ...extra,
  ];
  const kids: number[] = [];
  for (const page of pages) {
    const content = pdfStream('', Buffer.from(contentOf(page), 'latin1'));
    const images = page.jpeg ? `/XObject << /Im0 ${objects.length + 1} 0 R >>` : '';
    if (page.jpeg) objects.push(imageObject(page.jpeg));
    objects.push(content);
    const resources = `<< /Font << /F1 3 0 R /F2 4 0 R >> ${images} ${page.resources ?? ''} >>`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${objects.length} 0 R /Resources ${resources} ${page.more ?? ''} >>`,
    );
    kids.push(objects.length);
  }
  objects[0] = `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`;
  objects[1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`;
  return writePdf(objects);
}

export function pdfStream(dictionary: string, data: Buffer): Buffer {
  const head = `<< ${dictionary} /Length ${data.length} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), data, Buffer.from('\nendstream')]);
}

function imageObject({ data, width, height }: NonNullable<PdfPage['jpeg']>): Buffer {
  const about = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB`;
  return pdfStream(`${about} /BitsPerComponent 8 /Filter /DCTDecode`, data);
}

function contentOf({ texts = [], jpeg, content = '' }: PdfPage): string {
  const height = jpeg ? (595 * jpeg.height) / jpeg.width : 0;
  const image = jpeg ? `q 595 0 0 ${height} 0 ${842 - height} cm /Im0 Do Q\n` : '';
  const written = texts.map(({ text, size = 11, x = 60, y = 780 }) => {
    const escaped = text.replaceAll(/[\\()]/g, String.raw`\$&`);
    return `BT /F1 ${size} Tf ${x} ${y} Td (${escaped}) Tj ET\n`;
  });
  return image + written.join('') + content;
}

/** Three pages, of which reading the second would take years: each form in it draws the next one thirty times. */
export function makeEndlessPdf(text: string): Buffer {
  const last = 8;
  const forms = Array.from({ length: last + 1 }, (_, index) => {
    const next = index === last ? '' : `/XObject << /Fm ${index + 6} 0 R >>`;
    const about = `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 3 0 R >> ${next} >>`;
    return pdfStream(about, Buffer.from(next ? '/Fm Do '.repeat(30) : 'BT /F1 9 Tf (ha) Tj ET'));
  });
  const endless = { content: '/Fm Do', resources: '/XObject << /Fm 5 0 R >>' };
  const page = { texts: lines([text]) };
  return makePdf([page, endless, page], { extra: forms });
}

/** Lines of a page from top to bottom. */
export function lines(texts: readonly string[], size = 11): PdfText[] {
  return texts.map((text, index) => ({ text, size, y: 780 - index * size * 1.3 }));
}

function writePdf(objects: readonly PdfObject[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const places: number[] = [];
  let length = 9;
  for (const [index, object] of objects.entries()) {
    places.push(length);
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      typeof object === 'string' ? Buffer.from(object, 'latin1') : object,
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(part);
    length += part.length;
  }
  const rows = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>`;
  return Buffer.concat([...parts, Buffer.from(`${table}\nstartxref\n${length}\n%%EOF\n`)]);
}
