import { createWorker, OEM, type Page, type Worker } from 'tesseract.js';
import type { PdfPage } from '../pdf/open-pdf.ts';
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

export async function readScannedPage(page: PdfPage, data: OcrData): Promise<string> {
  const pixels = await renderAt(page, DPI, LONGEST_SIDE);
  if (await isBlank(pixels)) return '';
  const raw = { width: pixels.width, height: pixels.height, channels: 4 as const };
  return recognize(await grey(sharp(pixels.data, { raw })), data);
}

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
  return recognize(await grey(resized), data);
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

async function recognize(png: Buffer, data: OcrData): Promise<string> {
  const worker = await workerFor(data);
  const { data: page } = await worker.recognize(png, {}, { text: false, blocks: true });
  return textOf(page);
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
