import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePdf, pdfStream } from '../../../../test/harness/files/pdf.ts';
import { sample, startReader, writeFileToRead } from '../../../../test/harness/files/reader.ts';
import { makePng, pngChunk } from '../../../../test/harness/images.ts';
import { useFolder } from '../../../../test/harness/use-folder.ts';
import type { FileReader, FileToRead } from '../file-reader.ts';
import { sharp } from './sharp-safe.ts';

const folder = useFolder();
let reader: FileReader;

beforeAll(() => {
  reader = startReader();
});
afterAll(() => reader.close());

const write = (name: string, bytes: Buffer | string) => writeFileToRead(folder.path, name, bytes);

const STYLES = ['', '-Bold', '-Oblique', '-BoldOblique'];
const STANDARD_FONTS = [
  STYLES.map((style) => `Helvetica${style}`),
  STYLES.map((style) => `Courier${style}`),
  ['Times-Roman', 'Times-Bold', 'Times-Italic', 'Times-BoldItalic', 'Symbol', 'ZapfDingbats'],
].flat();

/** Red above, blue below, before it is turned. */
function halves(width = 40, height = 20) {
  const red = { create: { width, height: height / 2, channels: 3 as const, background: '#f00' } };
  return sharp({ create: { width, height, channels: 3, background: '#00f' } })
    .composite([{ input: red, top: 0, left: 0 }])
    .withExif({ IFD0: { Make: 'Camera', Copyright: 'SECRET-PLACE' } });
}

async function colourAt(picture: Buffer, left: number, top: number): Promise<string> {
  const { data } = await sharp(picture)
    .removeAlpha()
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [red = 0, green = 0, blue = 0] = data;
  if (green > 200) return 'white';
  return red > blue ? 'red' : 'blue';
}

async function cleaned(file: FileToRead) {
  const copyTo = join(folder.path, `clean-${file.name}`);
  const picture = await reader.cleanPicture(file, copyTo);
  return { picture, copy: picture?.isCopied ? await readFile(copyTo) : undefined };
}

describe('cleanPicture', () => {
  it('turns a JPEG upright and removes where it was taken', async () => {
    const bytes = await halves().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { picture, copy = Buffer.alloc(0) } = await cleaned(await write('turned.jpg', bytes));
    expect(picture).toEqual({ width: 20, height: 40, isCopied: true });
    const { orientation, exif, width } = await sharp(copy).metadata();
    expect({ orientation, exif, width }).toEqual({
      orientation: undefined,
      exif: undefined,
      width: 20,
    });
    expect([await colourAt(copy, 18, 20), await colourAt(copy, 2, 20)]).toEqual(['red', 'blue']);
  });

  it('keeps the pixels of an upright JPEG as they are, and nothing else', async () => {
    const bytes = await halves().withIccProfile('p3').jpeg().toBuffer();
    expect(bytes.includes('SECRET-PLACE')).toBe(true);
    const hidden = Buffer.concat([bytes, Buffer.from('SECRET-PLACE behind the end')]);
    const { copy = Buffer.alloc(0) } = await cleaned(await write('upright.jpg', hidden));
    expect(copy.includes('SECRET-PLACE')).toBe(false);
    expect(copy.length).toBeLessThan(bytes.length);
    const [before, after] = await Promise.all(
      [bytes, copy].map((one) => sharp(one).raw().toBuffer()),
    );
    expect(after).toEqual(before);
    expect((await sharp(copy).metadata()).icc).toBeDefined();
  });

  it('keeps a progressive JPEG whole', async () => {
    const bytes = await halves(200, 200).jpeg({ progressive: true }).toBuffer();
    const { copy = Buffer.alloc(0) } = await cleaned(await write('progressive.jpg', bytes));
    expect(await sharp(copy).raw().toBuffer()).toEqual(await sharp(bytes).raw().toBuffer());
    expect(copy.includes('SECRET-PLACE')).toBe(false);
  });

  it('removes texts and what is behind the end of a PNG, and keeps its pixels', async () => {
    const text = pngChunk('tEXt', Buffer.from('Comment\0SECRET-PLACE'));
    const bytes = Buffer.concat([
      makePng(30, 20, [text]),
      Buffer.from('<script>SECRET-PLACE</script>'),
    ]);
    const { picture, copy = Buffer.alloc(0) } = await cleaned(await write('a.png', bytes));
    expect(picture).toEqual({ width: 30, height: 20, isCopied: true });
    expect(copy).toEqual(makePng(30, 20));
  });

  it('only measures other pictures', async () => {
    const gif = await halves().gif().toBuffer();
    const webp = await halves().withMetadata({ orientation: 6 }).webp().toBuffer();
    expect((await cleaned(await write('a.gif', gif))).picture).toEqual({
      width: 40,
      height: 20,
      isCopied: false,
    });
    expect((await cleaned(await write('a.webp', webp))).picture).toEqual({
      width: 20,
      height: 40,
      isCopied: false,
    });
    expect((await cleaned(sample('scan-g4.tiff'))).picture).toEqual({
      width: 1600,
      height: 700,
      isCopied: false,
    });
  });

  it('null for what is no picture, is damaged, or is an SVG with another name', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
    const files = [
      await write('svg.png', svg),
      await write('damaged.jpg', (await halves().jpeg().toBuffer()).subarray(0, 30)),
      await write('a.svg', svg),
      sample('report.pdf'),
    ];
    for (const file of files) expect((await cleaned(file)).picture).toBeNull();
  });
});

describe('preview', () => {
  it('a WebP of a picture, upright, never wider or larger than it', async () => {
    const bytes = await halves(400, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const file = await write('large.jpg', bytes);
    const small = await reader.preview(file, { width: 50 });
    expect(small).toMatchObject({ width: 50, height: 100 });
    const about = await sharp(small?.bytes).metadata();
    expect(about).toMatchObject({ format: 'webp', width: 50, height: 100 });
    expect(about.exif).toBeUndefined();
    expect(await colourAt(small?.bytes ?? Buffer.alloc(0), 45, 50)).toBe('red');
    expect(await reader.preview(file, { width: 2000 })).toMatchObject({ width: 200, height: 400 });
  });

  it('the first frame of an animation', async () => {
    const frames = await Promise.all(
      ['#f00', '#00f'].map((background) =>
        sharp({ create: { width: 30, height: 20, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const preview = await reader.preview(await write('moves.gif', gif), { width: 30 });
    expect(preview).toMatchObject({ width: 30, height: 20 });
    expect(await colourAt(preview?.bytes ?? Buffer.alloc(0), 5, 5)).toBe('red');
  });

  it('a page of a PDF', async () => {
    const file = await write(
      'pages.pdf',
      makePdf([{}, { content: '0 0 1 rg 100 100 200 300 re f' }]),
    );
    const [first, second] = [
      await reader.preview(file, { width: 300 }),
      await reader.preview(file, { width: 300, page: 2 }),
    ];
    expect([first, second]).toMatchObject([
      { width: 300, height: 425 },
      { width: 300, height: 425 },
    ]);
    expect(await colourAt(first?.bytes ?? Buffer.alloc(0), 100, 300)).toBe('white');
    expect(await colourAt(second?.bytes ?? Buffer.alloc(0), 100, 300)).toBe('blue');
    expect(await reader.preview(file, { width: 300, page: 3 })).toBeNull();
    expect(await reader.countPages(file)).toBe(2);
  });

  it('letters in each of the fonts that a PDF need not contain', async () => {
    const extra = STANDARD_FONTS.map(
      (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} >>`,
    );
    const fonts = extra.map((_, at) => `/S${at} ${5 + at} 0 R`).join(' ');
    const lines = extra.map((_, at) => `BT /S${at} 24 Tf 60 ${800 - 50 * at} Td (nine) Tj ET`);
    const page = { content: lines.join('\n'), resources: `/Font << ${fonts} >>` };
    const file = await write('fonts.pdf', makePdf([page], { extra }));
    const preview = await reader.preview(file, { width: 595 });
    const drawn = await Promise.all(
      extra.map((_, at) =>
        sharp(preview?.bytes)
          .greyscale()
          .extract({ left: 50, top: 15 + 50 * at, width: 200, height: 40 })
          .raw()
          .toBuffer(),
      ),
    );
    const darkness = drawn.map((pixels) => pixels.filter((pixel) => pixel < 128).length);
    expect(Math.min(...darkness)).toBeGreaterThan(50);
    expect(new Set(drawn.map((pixels) => pixels.toString('base64'))).size).toBe(14);
  });

  it('what was filled into a form', async () => {
    const field =
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /V (Ada) /F 4 /Rect [100 100 300 400] /AP << /N 6 0 R >> >>';
    const look = pdfStream(
      '/Type /XObject /Subtype /Form /BBox [0 0 200 300]',
      Buffer.from('0 0 1 rg 0 0 200 300 re f'),
    );
    const made = makePdf([{ more: '/Annots [5 0 R]' }], {
      extra: [field, look],
      catalog: '/AcroForm << /Fields [5 0 R] >>',
    });
    const preview = await reader.preview(await write('form.pdf', made), { width: 300 });
    expect(await colourAt(preview?.bytes ?? Buffer.alloc(0), 100, 300)).toBe('blue');
  });

  it('a bitmap, which few programs read', async () => {
    const bmp = Buffer.alloc(54 + 16 * 2, 0xff);
    bmp.write('BM', 0, 'latin1');
    for (const [at, value] of [
      [2, bmp.length],
      [6, 0],
      [10, 54],
      [14, 40],
      [18, 5],
      [22, 2],
      [30, 0],
      [34, 0],
      [38, 0],
      [42, 0],
      [46, 0],
      [50, 0],
    ] as const) {
      bmp.writeUInt32LE(value, at);
    }
    bmp.writeUInt16LE(1, 26);
    bmp.writeUInt16LE(24, 28);
    expect(await reader.preview(await write('a.bmp', bmp), { width: 50 })).toMatchObject({
      width: 5,
      height: 2,
    });
  });

  it('null for other types and what is damaged', async () => {
    const cut = (await halves(300, 300).png().toBuffer()).subarray(0, 200);
    for (const file of [sample('orders.xlsx'), sample('locked.pdf'), await write('cut.png', cut)]) {
      expect(await reader.preview(file, { width: 100 })).toBeNull();
    }
    expect(await reader.countPages(sample('orders.xlsx'))).toBeNull();
    expect(await reader.countPages(sample('locked.pdf'))).toBeNull();
  });
});
