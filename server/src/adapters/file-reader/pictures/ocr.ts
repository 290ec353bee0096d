import { createWorker, OEM, type Page, type Worker } from 'tesseract.js';
import type { DrawnPdf } from '../pdf/drawn-pdf.ts';
import { renderAt, type Pixels } from '../pdf/render-page.ts';
import type { OcrData } from '../protocol.ts';
import { NotTheFile } from '../reasons.ts';
import type { OpenedPicture } from './open-picture.ts';
import { sharp } from './sharp-safe.ts';

let running: Promise<Worker> | undefined;

/** Started once in the life of the process, which takes a second. */
function workerFor({ languages, folder }: OcrData): Promise<Worker> {
  running ??= createWorker(languages, OEM.LSTM_ONLY, {
    langPath: folder,
    gzip: true,
    cacheMethod: 'none',
    // Without one, errors would be thrown where nobody catches them.
    errorHandler: () => {},
  }).catch((error: unknown) => {
    throw new NotTheFile(`OCR could not be started: ${String(error)}`);
  });
  return running;
}

const DPI = 220;
const LONGEST_SIDE = 3200;

/** Pages that lie on their side or on their head are turned. */
export async function readScannedPage(pdf: DrawnPdf, page: number, data: OcrData): Promise<string> {
  const pixels = renderAt(pdf, page, DPI, LONGEST_SIDE);
  if (!pixels || (await isBlank(pixels))) return '';
  const raw = { width: pixels.width, height: pixels.height, channels: 4 as const };
  const turned = (degrees: number) => grey(sharp(pixels.data, { raw }).rotate(degrees));
  const angles = (await isOnItsSide(pixels)) ? [90, 270, 0, 180] : [0, 180, 90, 270];
  const tried = (vain.get(pdf) ?? 0) < MOST_VAIN ? angles : angles.slice(0, 1);
  let best: Recognized = { text: '', certainty: -1 };
  for (const angle of tried) {
    const one = await recognize(await turned(angle), data);
    if (one.certainty > best.certainty) best = one;
    if (one.certainty >= SURE) return one.text;
  }
  vain.set(pdf, (vain.get(pdf) ?? 0) + 1);
  return best.text;
}

/** Pages that could not be read whichever way they were turned. Handwriting is not turned again and again. */
const vain = new WeakMap<DrawnPdf, number>();
const MOST_VAIN = 3;

/** Letters of screenshots are small, those of photos are large. */
const SMALL = 1600;

export async function readPicture(
  picture: OpenedPicture,
  page: number,
  data: OcrData,
): Promise<string> {
  const longest = Math.max(picture.width, picture.height);
  const scale = longest < SMALL ? 2 : Math.min(1, LONGEST_SIDE / longest);
  const width = Math.max(1, Math.round(picture.width * scale));
  const upright = picture.open(page).autoOrient();
  const resized =
    page === 1
      ? upright.resize({ width })
      : upright.resize({ width: LONGEST_SIDE, withoutEnlargement: true });
  return (await recognize(await grey(resized), data)).text;
}

function grey(picture: ReturnType<typeof sharp>): Promise<Buffer> {
  return picture
    .flatten({ background: '#fff' })
    .greyscale()
    .png({ compressionLevel: 1 })
    .toBuffer();
}

async function isBlank({ data, width, height }: Pixels): Promise<boolean> {
  const { channels } = await sharp(data, { raw: { width, height, channels: 4 } }).stats();
  return channels.slice(0, 3).every(({ stdev }) => stdev < 1);
}

interface Recognized {
  text: string;
  /** The share of letters that are in words it is sure of. */
  certainty: number;
}

const LOOKED_AT = 600;
/** Between lines there is nothing, so the rows of a page differ more than its columns. */
const MUCH_MORE = 1.5;

async function isOnItsSide({ data, width, height }: Pixels): Promise<boolean> {
  const small = await sharp(data, { raw: { width, height, channels: 4 } })
    .resize({ width: LOOKED_AT, height: LOOKED_AT, fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer();
  const rows = new Float64Array(LOOKED_AT);
  const columns = new Float64Array(LOOKED_AT);
  for (const [at, light] of small.entries()) {
    const x = at % LOOKED_AT;
    const y = (at - x) / LOOKED_AT;
    rows[y] = (rows[y] ?? 0) + 255 - light;
    columns[x] = (columns[x] ?? 0) + 255 - light;
  }
  return changes(columns) > MUCH_MORE * changes(rows);
}

/** How much each differs from the next. */
function changes(values: Float64Array): number {
  return values.reduce((sum, value, at) => sum + (value - (values[at - 1] ?? value)) ** 2, 0);
}

async function recognize(png: Buffer, data: OcrData): Promise<Recognized> {
  const worker = await workerFor(data);
  const { data: page } = await worker.recognize(png, {}, { text: false, blocks: true });
  return { text: textOf(page), certainty: certaintyOf(page) };
}

/** Less is seen on pages that are upside down. */
const SURE = 0.5;
const SURE_CONFIDENCE = 75;

function certaintyOf({ blocks }: Page): number {
  const lines = (blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap((one) => one.lines));
  let sure = 0;
  let all = 0;
  for (const { text, confidence } of lines.flatMap(({ words }) => words)) {
    all += text.length;
    if (confidence >= SURE_CONFIDENCE) sure += text.length;
  }
  return all === 0 ? 0 : sure / all;
}

const LEAST_CONFIDENCE = 50;

/** In a picture without words, OCR still sees some, but is not sure of them. */
function textOf({ blocks }: Page): string {
  const paragraphs = (blocks ?? []).flatMap((block) => block.paragraphs);
  const texts = paragraphs.map(({ lines }) =>
    lines
      .map(({ words }) =>
        words
          .filter(({ confidence }) => confidence >= LEAST_CONFIDENCE)
          .map(({ text }) => text)
          .join(' '),
      )
      .filter((line) => /[\p{L}\p{N}]/u.test(line))
      .join('\n'),
  );
  const text = texts.filter(Boolean).join('\n\n');
  return /[\p{L}\p{N}]{2}/u.test(text) ? text : '';
}
