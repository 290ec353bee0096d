import { open, readFile, stat } from 'node:fs/promises';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Sharp } from 'sharp';
import type { ReaderLimits } from '../limits.ts';
import { REASONS, Unreadable } from '../reasons.ts';
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
  if (await isBmp(path)) return openBmp(path, limits);
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

const BMP_HEADER = 26;

async function isBmp(path: string): Promise<boolean> {
  const start = await startOf(path);
  return start.length === BMP_HEADER && start.toString('latin1', 0, 2) === 'BM';
}

async function startOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BMP_HEADER), 0, BMP_HEADER, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Which sharp can't read. */
async function openBmp(path: string, limits: ReaderLimits): Promise<OpenedPicture> {
  const start = await startOf(path);
  const width = start.readInt32LE(18);
  // Negative: from the top down.
  const height = Math.abs(start.readInt32LE(22));
  if (width <= 0 || height === 0) throw new Unreadable(REASONS.damaged);
  refuseLarge(width, height, limits);
  const data = await decodeBmp(path, width, height);
  const raw = { width, height, channels: 4 as const };
  const open = () => sharp(data, { raw, limitInputPixels: limits.pixels });
  return { open, width, height, format: 'bmp', pages: 1, orientation: 1 };
}

async function decodeBmp(path: string, width: number, height: number): Promise<Buffer> {
  try {
    const image = await loadImage(await readFile(path));
    const canvas = createCanvas(width, height);
    canvas.getContext('2d').drawImage(image, 0, 0, width, height);
    return canvas.data();
  } catch {
    throw new Unreadable(REASONS.damaged);
  }
}
