import { kindOf } from '../documents/kind-of.ts';
import type { FileToRead, Picture } from '../file-reader.ts';
import type { ReaderLimits } from '../limits.ts';
import { openDrawnPdf } from '../pdf/drawn-pdf.ts';
import { renderToWidth, type Pixels } from '../pdf/render-page.ts';
import { Unreadable } from '../reasons.ts';
import { openPicture } from './open-picture.ts';
import { sharp } from './sharp-safe.ts';

const QUALITY = 80;
const EFFORT = 2;
/** WebP has no higher ones, and nobody wants to scroll through one. */
const MOST_PROPORTION = 4;

/** Null if the file is of another type or damaged. */
export async function preview(
  file: FileToRead,
  { width, page }: { width: number; page: number },
  limits: ReaderLimits,
): Promise<Picture | null> {
  const kind = kindOf(file);
  try {
    if (kind === 'pdf') return await pdfPreview(file.path, width, page, limits);
    if (kind === 'picture') return await picturePreview(file.path, width, limits);
    return null;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

async function picturePreview(
  path: string,
  width: number,
  limits: ReaderLimits,
): Promise<Picture | null> {
  const picture = await openPicture(path, limits);
  const fit = { width, height: width * MOST_PROPORTION, fit: 'inside' as const };
  try {
    const { data, info } = await picture
      .open(1)
      .autoOrient()
      .resize({ ...fit, withoutEnlargement: true })
      .webp({ quality: QUALITY, effort: EFFORT })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  } catch {
    return null;
  }
}

async function pdfPreview(
  path: string,
  width: number,
  number: number,
  limits: ReaderLimits,
): Promise<Picture | null> {
  const pdf = await openDrawnPdf(path, limits);
  try {
    const pixels = number <= pdf.pages ? renderToWidth(pdf, number, width) : null;
    return pixels && (await toWebp(pixels));
  } finally {
    pdf.close();
  }
}

async function toWebp({ data, width, height }: Pixels): Promise<Picture> {
  const raw = { width, height, channels: 4 as const };
  const bytes = await sharp(data, { raw })
    .removeAlpha()
    .webp({ quality: QUALITY, effort: EFFORT })
    .toBuffer();
  return { bytes, width, height };
}

/** Null if it is no PDF, or can't be opened. */
export async function countPages(file: FileToRead, limits: ReaderLimits): Promise<number | null> {
  if (kindOf(file) !== 'pdf') return null;
  try {
    const pdf = await openDrawnPdf(file.path, limits);
    pdf.close();
    return pdf.pages;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}
