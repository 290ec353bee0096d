import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lines, makePdf, type PdfPage } from '../../../../test/harness/files/pdf.ts';
import {
  readAll,
  sample,
  startReader,
  writeFileToRead,
  type ReadText,
} from '../../../../test/harness/files/reader.ts';
import { makePng } from '../../../../test/harness/images.ts';
import { useFolder } from '../../../../test/harness/use-folder.ts';
import type { FileReader } from '../file-reader.ts';
import { sharp } from '../pictures/sharp-safe.ts';

const folder = useFolder();
let reader: FileReader;

beforeAll(() => {
  reader = startReader({ pages: 20, ocrPages: 1 });
});
afterAll(() => reader.close());

const BODY = 'Forty-two ships arrived in the harbour, which is more than in any quarter before.';

async function textOf(name: string, ...made: Parameters<typeof makePdf>): Promise<ReadText> {
  return readAll(reader, await writeFileToRead(folder.path, name, makePdf(...made)));
}

const SCANNED = 'Invoice number 4711\nPlease pay 250 euros before Friday';

async function scan(): Promise<PdfPage> {
  const data = await sharp(sample('scan-g4.tiff').path).toColourspace('srgb').jpeg().toBuffer();
  return { jpeg: { data, width: 1600, height: 700 } };
}

describe('words on a page of a PDF', () => {
  const find = async (words: string[], page = 1, rotate = '') => {
    const texts = [
      ...lines(['The notice period (ends) in May.', 'A notice per-', 'iod too, in 5.0 days.']),
      { text: 'NOTICE', x: 300, y: 400 },
      { text: 'PERIOD', x: 420, y: 400 },
    ];
    const made = String(makePdf([{ texts }])).replace('/MediaBox', `${rotate} /MediaBox`);
    const file = await writeFileToRead(folder.path, `find${rotate.length}.pdf`, made);
    return reader.findOnPage(file, { page, words });
  };

  it('are found in any case, across lines and gaps, and as they are', async () => {
    const boxes = await find(['notice', 'Period']);
    expect(boxes.map(({ match }) => match)).toEqual([0, 1, 1, 2, 2]);
    const [first, , , large] = boxes;
    // "notice" begins at the fifth letter of a line at 60 of 595 points, which is 780 of 842 high.
    expect(first?.x).toBeCloseTo(0.13, 1);
    expect(first?.y).toBeCloseTo((842 - 780 - 9) / 842, 2);
    expect(first?.height).toBeCloseTo(11 / 842, 3);
    expect(large?.x).toBeCloseTo(300 / 595, 3);
    expect(large?.y).toBeCloseTo((842 - 400 - 9) / 842, 2);
    expect(await find(['5.0'])).toHaveLength(1);
    expect(await find(['(ends)'])).toHaveLength(1);
    for (const words of [['5x0'], ['.*'], ['missing']]) expect(await find(words)).toEqual([]);
    expect(await find(['notice'], 2)).toEqual([]);
  });

  it('are where they are shown if the page is turned', async () => {
    const [box] = await find(['NOTICE', 'PERIOD'], 1, '/Rotate 90');
    expect(box?.width).toBeLessThan(box?.height ?? 0);
  });
});

describe('text of a PDF', () => {
  it('a report of reportlab: pages, headings, a table', async () => {
    const { read, status, reason, pages } = await readAll(reader, sample('report.pdf'));
    expect({ status, reason, pages }).toEqual({ status: 'READY', reason: null, pages: 2 });
    expect(read[0]?.text).toMatch(/^# Harbour report\n\n# Ships\n\nForty-two ships arrived/);
    expect(read[0]?.text).toMatch(
      /grain\.\n\nShip \| Flag \| Tons\nAurora \| NO \| 1200\nBella \| IT \| 800$/,
    );
    expect(read[1]).toEqual({
      page: 2,
      pages: 2,
      isScanned: false,
      text: '# Weather\n\nIt rained on sixty days.',
    });
  });

  it('headings by how much larger they are, and words that were divided', async () => {
    const texts = [
      { text: 'Title', size: 24, y: 780 },
      { text: 'Part', size: 16, y: 740 },
      { text: 'Detail', size: 13, y: 710 },
      ...[`${BODY} This is an exam-`, 'ple of a divided word.', BODY].map((text, index) => ({
        text,
        y: 690 - index * 14,
      })),
    ];
    const { text } = await textOf('a.pdf', [{ texts }]);
    expect(text).toBe(
      `# Title\n\n## Part\n\n### Detail\n\n${BODY} This is an example of a divided word.\n${BODY}`,
    );
  });

  it('from a page on, and only there', async () => {
    const pages = Array.from({ length: 7 }, (_, index) => ({
      texts: lines([`${BODY} ${index + 1}`]),
    }));
    const file = await writeFileToRead(folder.path, 'b.pdf', makePdf(pages));
    const { read, status } = await readAll(reader, file, { from: 6 });
    expect(status).toBe('READY');
    expect(read.map(({ page, text }) => [page, text.at(-1)])).toEqual([
      [6, '6'],
      [7, '7'],
    ]);
  });

  it('what was filled into a form', async () => {
    const field =
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /V (Ada Lovelace) /Rect [0 0 9 9] /P 7 0 R >>';
    const catalog = '/AcroForm << /Fields [5 0 R] >>';
    const { text } = await textOf('c.pdf', [{ texts: lines([BODY]) }], { extra: [field], catalog });
    expect(text).toBe(`${BODY}\nName: Ada Lovelace`);
  });

  it('one that needs a password, and one that is damaged', async () => {
    const locked = await readAll(reader, sample('locked.pdf'));
    expect(locked).toMatchObject({
      status: 'FAILED',
      reason: 'This file is protected with a password.',
    });
    const file = await writeFileToRead(folder.path, 'd.pdf', 'not a PDF');
    expect((await readAll(reader, file)).reason).toMatch(/^This file is damaged/);
    const cut = makePdf([{ texts: lines([BODY]) }]).subarray(0, 60);
    const damaged = await readAll(reader, await writeFileToRead(folder.path, 'e.pdf', cut));
    expect(damaged.status).toBe('FAILED');
  });

  it('an empty page is not a scan, and a document of them has no text', async () => {
    const empty = await textOf('f.pdf', [{}, {}]);
    expect(empty).toMatchObject({
      status: 'EMPTY',
      reason: 'There is no text in this file.',
      pages: 2,
    });
  });

  it('reads 20 of 25 pages, and says so, if that is the limit', async () => {
    const pages = Array.from({ length: 25 }, () => ({ texts: lines([BODY]) }));
    const file = await writeFileToRead(folder.path, 'g.pdf', makePdf(pages));
    const { read, reason, status, pages: all } = await readAll(reader, file);
    expect({ reason, status, all }).toEqual({
      all: 25,
      status: 'READY',
      reason: 'Only the first 20 pages were read.',
    });
    expect(read).toHaveLength(20);
  });

  it('gives way to other documents between pages, and loses none', async () => {
    const patient = startReader({ sliceMs: 0 });
    const pages = Array.from({ length: 6 }, (_, index) => ({ texts: lines([`${BODY} ${index}`]) }));
    const file = await writeFileToRead(folder.path, 'h.pdf', makePdf(pages));
    const short = await writeFileToRead(folder.path, 'short.txt', 'short');
    const order: string[] = [];
    const long = patient.readText(file, async ({ page }) => void order.push(`page ${page}`));
    await Promise.all([long, patient.readText(short, async () => void order.push('short'))]);
    await patient.close();
    expect(order).toEqual(['page 1', 'short', 'page 2', 'page 3', 'page 4', 'page 5', 'page 6']);
  });
});

describe('scans in a PDF', () => {
  it('by OCR, between pages of text, in order', async () => {
    const text = { texts: lines([BODY]) };
    const reading = textOf('mixed.pdf', [text, await scan(), text]);
    const order: string[] = [];
    const scanned = reading.then(() => order.push('scan'));
    await readAll(reader, sample('report.pdf')).then(() => order.push('text'));
    await scanned;
    expect(order).toEqual(['text', 'scan']);
    const { read, status } = await reading;
    expect(status).toBe('READY');
    expect(read.map(({ page, text, isScanned }) => [page, text, isScanned])).toEqual([
      [1, BODY, false],
      [2, SCANNED, true],
      [3, BODY, false],
    ]);
  });

  it.each(['ccitt', 'jbig2', 'jpeg2000'])('also if they are packed as %s', async (packing) => {
    const { text, read } = await readAll(reader, sample(`scan-${packing}.pdf`));
    expect(text).toBe(SCANNED);
    expect(read[0]?.isScanned).toBe(true);
  });

  it.each([90, 180])('also if they were scanned at %i degrees', async (degrees) => {
    const turned = sharp(sample('scan-g4.tiff').path).toColourspace('srgb').rotate(degrees).jpeg();
    const { data, info } = await turned.toBuffer({ resolveWithObject: true });
    const { text } = await textOf(`${degrees}.pdf`, [{ jpeg: { data, ...info } }]);
    expect(text).toBe(SCANNED);
  });

  it('says which pages can’t be unpacked, instead of calling them empty', async () => {
    const image =
      '<< /Type /XObject /Subtype /Image /Width 9 /Height 9 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /JPXDecode /Length 4 >>\nstream\nabcd\nendstream';
    const page = { content: '/Im9 Do', resources: '/XObject << /Im9 5 0 R >>' };
    const { status, reason } = await textOf('unknown.pdf', [page], { extra: [image] });
    expect({ status, reason }).toEqual({ status: 'FAILED', reason: 'Page 1 could not be read.' });
  });

  it('reads as many as the limit says', async () => {
    const file = await writeFileToRead(
      folder.path,
      'two.pdf',
      makePdf([await scan(), await scan()]),
    );
    const { read, reason } = await readAll(reader, file);
    expect(read.map(({ text }) => text)).toEqual([SCANNED, '']);
    expect(reason).toBe('Only the first 1 scanned pages were read.');
  });

  it('so are pictures: with words, and without', async () => {
    const { text, read, pages } = await readAll(reader, sample('scan-g4.tiff'));
    expect({ text, pages }).toEqual({ text: SCANNED, pages: 1 });
    expect(read[0]?.isScanned).toBe(true);
    const grey = await writeFileToRead(folder.path, 'grey.png', makePng(300, 200));
    expect(await readAll(reader, grey)).toMatchObject({
      status: 'EMPTY',
      reason: 'There is no text in this picture.',
    });
  });

  it('says so if this server has no data for the language', async () => {
    const german = startReader({}, { env: { OCR_LANGUAGES: 'deu' } });
    const file = await writeFileToRead(folder.path, 'german.pdf', makePdf([await scan()]));
    const reason = 'Text in pictures can’t be read: this server has no recognition data for "deu".';
    expect(await readAll(german, file)).toMatchObject({ status: 'FAILED', reason, pages: 1 });
    expect(await readAll(german, sample('scan-g4.tiff'))).toMatchObject({
      status: 'FAILED',
      reason,
    });
    await german.close();
  });
});
