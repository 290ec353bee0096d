import { constants, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDocx, makeXlsx, paragraph } from '../../../test/harness/files/office.ts';
import { lines, makeEndlessPdf, makePdf, pdfStream } from '../../../test/harness/files/pdf.ts';
import {
  readAll,
  startReader,
  writeFileToRead,
  type ReadText,
} from '../../../test/harness/files/reader.ts';
import { makeZip, repeatedMegabyte } from '../../../test/harness/files/zip.ts';
import { makePng, pngChunk } from '../../../test/harness/images.ts';
import { useFolder } from '../../../test/harness/use-folder.ts';
import type { FileReader, FileToRead } from './file-reader.ts';

const folder = useFolder();
let reader: FileReader;

beforeAll(() => {
  // Steps are short, and a busy machine may take long for one.
  const limits = { memoryBytes: 250 * 1024 ** 2, stepMs: 1500, waitFactor: 80, pages: 100 };
  reader = startReader(limits);
});
afterAll(() => reader.close());

/** Whatever it was, the next file is read as ever. */
async function textOf(name: string, content: string | Buffer): Promise<ReadText> {
  const read = await readAll(reader, await writeFileToRead(folder.path, name, content));
  const next = await writeFileToRead(folder.path, 'next.txt', 'The next file.');
  expect(await readAll(reader, next)).toMatchObject({ status: 'READY', text: 'The next file.' });
  return read;
}

const NO_XML = 'This file contains XML declarations that are not allowed, so it was not read.';
const TOO_LARGE = 'This file becomes too large when it is unpacked, so it was not read.';
const BODY = 'Forty-two ships arrived in the harbour, which is more than in any quarter before.';

describe('archives', () => {
  it('a DOCX of a gigabyte of zeros', async () => {
    const packed = repeatedMegabyte(Buffer.alloc(1024 ** 2), 1024);
    const bomb = makeZip([
      { name: '[Content_Types].xml', data: Buffer.from('<Types/>') },
      { name: 'word/document.xml', data: Buffer.alloc(0), packed },
    ]);
    expect(bomb.length).toBeLessThan(2 * 1024 ** 2);
    expect(await textOf('zeros.docx', bomb)).toMatchObject({
      status: 'FAILED',
      reason: expect.any(String),
    });
  });

  it('a DOCX of a gigabyte of paragraphs', async () => {
    const packed = repeatedMegabyte(
      Buffer.from(`<w:p>${' '.repeat(9000)}</w:p>`.repeat(100)),
      1024,
    );
    const start = deflateRaw('<w:document xmlns:w="w"><w:body>');
    const bomb = makeZip([
      { name: '[Content_Types].xml', data: Buffer.from('<Types/>') },
      { name: 'word/document.xml', data: Buffer.alloc(0), packed: Buffer.concat([start, packed]) },
    ]);
    expect(await textOf('paragraphs.docx', bomb)).toMatchObject({
      status: 'FAILED',
      reason: TOO_LARGE,
    });
  });

  it('an archive in an archive is never opened', async () => {
    const inner = makeZip([
      { name: 'x', data: Buffer.alloc(0), packed: repeatedMegabyte(Buffer.alloc(1024 ** 2), 512) },
    ]);
    const file = makeDocx(paragraph('Outside'), { 'word/embeddings/inner.docx': inner });
    expect(await textOf('nested.docx', file)).toMatchObject({ status: 'READY', text: 'Outside' });
  });

  it('external entities and a billion laughs in OOXML', async () => {
    const laughs = Array.from(
      { length: 9 },
      (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
    );
    const doctypes = [
      '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
      '<!DOCTYPE x [<!ENTITY % a SYSTEM "http://127.0.0.1:1/evil.dtd"> %a;]>',
      `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs.join('')}]>`,
    ];
    for (const doctype of doctypes) {
      const document = `${doctype}<w:document xmlns:w="w"><w:p><w:t>&a;&l9;</w:t></w:p></w:document>`;
      const file = makeDocx('', { 'word/document.xml': document });
      expect(await textOf('xxe.docx', file)).toMatchObject({ status: 'FAILED', reason: NO_XML });
    }
  });

  it('relations that leave the archive', async () => {
    const rels =
      '<Relationships><Relationship Id="R1" Type="x/styles" Target="../../../../../etc/passwd"/><Relationship Id="R2" Type="x/footnotes" TargetMode="External" Target="file:///etc/passwd"/></Relationships>';
    const file = makeDocx(paragraph('Inside'), { 'word/_rels/document.xml.rels': rels });
    expect(await textOf('outside.docx', file)).toMatchObject({ status: 'READY', text: 'Inside' });
  });
});

describe('PDFs', () => {
  it('10,000 pages: the first are read, and it says so', async () => {
    const pages = Array.from({ length: 10_000 }, (_, index) => ({
      texts: lines([`Page ${index + 1}`]),
    }));
    const file = await writeFileToRead(folder.path, 'pages.pdf', makePdf(pages));
    const { read, reason, pages: all } = await readAll(reader, file);
    expect({ all, last: read.at(-1)?.text }).toEqual({ all: 10_000, last: 'Page 100' });
    expect(reason).toBe('Only the first 100 pages were read.');
  });

  it('scripts in it are not run', async () => {
    const script = '(while (true) {} app.alert\\(1\\);)';
    const catalog = `/OpenAction << /S /JavaScript /JS ${script} >> /AA << /WC << /S /JavaScript /JS ${script} >> >>`;
    const made = makePdf([{ texts: lines([BODY]) }], { catalog });
    expect(await textOf('script.pdf', made)).toMatchObject({ status: 'READY', text: BODY });
  });

  it('a page that draws itself, and pages that contain themselves', async () => {
    const form = pdfStream(
      '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /Fm 5 0 R >> >>',
      Buffer.from('/Fm Do'),
    );
    const page = { texts: lines([BODY]), content: '/Fm Do', resources: '/XObject << /Fm 5 0 R >>' };
    const drawn = await textOf(
      'cycle.pdf',
      makePdf([page, { texts: lines([BODY]) }], { extra: [form] }),
    );
    expect(drawn.read.at(-1)?.text).toBe(BODY);
    const whole = String(makePdf([{ texts: lines([BODY]) }]));
    const tree = whole.replace(/\/Kids \[\d+ 0 R\]/, '/Kids [2 0 R]');
    expect((await textOf('tree.pdf', tree)).status).not.toBe('READY');
  });

  it('a page that would take years, between two others, is left out', async () => {
    const { read, status, reason } = await textOf('slow.pdf', makeEndlessPdf(BODY));
    expect(read.map(({ text }) => text)).toEqual([BODY, '', BODY]);
    expect({ status, reason }).toEqual({ status: 'READY', reason: 'Page 2 could not be read.' });
  });

  it('a font that never ends', async () => {
    const file = pdfStream('/Filter /FlateDecode', endless(2048));
    const descriptor =
      '<< /Type /FontDescriptor /FontName /Endless /Flags 4 /FontFile2 5 0 R /FontBBox [0 0 9 9] /ItalicAngle 0 /Ascent 9 /Descent 0 /CapHeight 9 /StemV 9 >>';
    const font =
      '<< /Type /Font /Subtype /TrueType /BaseFont /Endless /FontDescriptor 6 0 R /FirstChar 32 /LastChar 33 /Widths [9 9] >>';
    const page = { content: 'BT /F9 9 Tf (ha) Tj ET', resources: '/Font << /F9 7 0 R >>' };
    const text = { texts: lines([BODY]) };
    const made = makePdf([text, page, text], { extra: [file, descriptor, font] });
    const { read } = await textOf('font.pdf', made);
    expect(read).toHaveLength(3);
    expect(read[2]?.text).toBe(BODY);
  });

  it('a page whose text is unpacked to gigabytes', async () => {
    const extra = [pdfStream('/Filter /FlateDecode', endless(4096))];
    const whole = makePdf([{ texts: lines([BODY]) }, {}], { extra }).toString('latin1');
    const bomb = whole.replace(/\/Contents \d+ 0 R(?![^]*\/Contents)/, '/Contents 5 0 R');
    const { read, status, reason } = await textOf('content.pdf', Buffer.from(bomb, 'latin1'));
    expect(read.map(({ text }) => text)).toEqual([BODY, '']);
    expect({ status, reason }).toEqual({ status: 'READY', reason: 'Page 2 could not be read.' });
  });
});

describe('pictures', () => {
  it('a PNG that says it has ten billion pixels', async () => {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(100_000, 0);
    header.writeUInt32BE(100_000, 4);
    header.set([8, 2, 0, 0, 0], 8);
    const bytes = makePng(1, 1);
    const bomb = Buffer.concat([
      bytes.subarray(0, 8),
      pngChunk('IHDR', header),
      bytes.subarray(33),
    ]);
    const file = await writeFileToRead(folder.path, 'bomb.png', bomb);
    expect(await reader.preview(file, { width: 100 })).toBeNull();
    expect(await reader.cleanPicture(file, `${folder.path}/clean.png`)).toBeNull();
    expect(await readAll(reader, file)).toMatchObject({
      status: 'FAILED',
      reason: 'This picture has too many pixels to be read.',
    });
  });

  it('an SVG, a PDF or a text that is called a picture', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>';
    for (const content of [svg, makePdf([{}]), 'GIF89a<script>alert(1)</script>', '']) {
      const file = await writeFileToRead(folder.path, 'other.gif', content);
      expect(await reader.preview(file, { width: 100 })).toBeNull();
      expect(await readAll(reader, file)).toMatchObject({ reason: expect.any(String), text: '' });
    }
  });
});

describe('limits on text', () => {
  it('a page and a file are cut off, and it says so', async () => {
    const small = startReader({ textLength: 10_000, pageLength: 2000 });
    const rows = Array.from({ length: 3000 }, (_, index) => [`cell ${index}`, 'x']);
    const read = async (file: FileToRead) => readAll(small, file);
    const { text, reason, status } = await read(
      await writeFileToRead(folder.path, 'long.xlsx', makeXlsx([['Name', 'Mark'], ...rows])),
    );
    await small.close();
    expect(status).toBe('READY');
    expect(text.length).toBeLessThan(12_000);
    expect(reason).toMatch(/^Only the first .* characters were read\. Some pages are too long/);
  });
});

function deflateRaw(text: string): Buffer {
  // Without the end, so that more can follow.
  return deflateSync(Buffer.from(text), { finishFlush: constants.Z_FULL_FLUSH }).subarray(2);
}

/** So many megabytes of spaces, packed for a PDF. */
function endless(megabytes: number): Buffer {
  return Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    repeatedMegabyte(Buffer.alloc(1024 ** 2, ' '), megabytes),
  ]);
}
