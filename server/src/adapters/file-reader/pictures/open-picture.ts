import { open, readFile, stat } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import type { ReaderLimits } from '../limits.ts';
import { REASONS, Unreadable } from '../reasons.ts';
import { decodeBitmap, sizeOfBitmap } from './bmp.ts';
import { sharp } from './sharp-safe.ts';

export interface OpenedPicture {
  /** Of one page or frame, not yet turned upright. */
  open(page: number): Sharp;
  /** As it is shown. */
  width: number;
  height: number;
  format: string;
  /** Pages of a TIFF; of animations, only the first frame counts. */
  pages: number;
  /** How it must be turned, as cameras write it: 1 is upright. */
  orientation: number;
}

/** Reads only what the picture says about itself, and refuses what would be too large. */
export async function openPicture(path: string, limits: ReaderLimits): Promise<OpenedPicture> {
  const { size } = await stat(path);
  if (size === 0) throw new Unreadable(REASONS.emptyFile, 'EMPTY');
  if (size > limits.pictureBytes) throw new Unreadable(REASONS.tooLarge);
  const bitmap = sizeOfBitmap(await startOf(path));
  if (bitmap) return openBitmap(path, bitmap, limits);
  const options = { limitInputPixels: limits.pixels, failOn: 'error' as const };
  // Without the limit, so that it can be told from damage: nothing is unpacked yet.
  const about = await sharp(path, { ...options, limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new Unreadable(REASONS.damaged);
    });
  const { width, height } = about.autoOrient;
  refuseLarge(about.width, about.height, limits);
  return {
    open: (page) => sharp(path, { ...options, page: page - 1, pages: 1 }),
    width,
    height,
    format: about.format,
    pages: about.format === 'tiff' ? (about.pages ?? 1) : 1,
    orientation: about.orientation ?? 1,
  };
}

function refuseLarge(width: number, height: number, limits: ReaderLimits): void {
  if (width * height > limits.pixels) throw new Unreadable(REASONS.pictureTooLarge);
}

const START = 26;

async function startOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START), 0, START, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function openBitmap(
  path: string,
  { width, height }: { width: number; height: number },
  limits: ReaderLimits,
): Promise<OpenedPicture> {
  if (width <= 0 || height === 0) throw new Unreadable(REASONS.damaged);
  refuseLarge(width, height, limits);
  const bitmap = decodeBitmap(await readFile(path));
  if (!bitmap) throw new Unreadable(REASONS.damaged);
  const raw = { width, height, channels: 3 as const };
  const picture = () => sharp(bitmap.data, { raw, limitInputPixels: limits.pixels });
  return { open: picture, width, height, format: 'bmp', pages: 1, orientation: 1 };
}
