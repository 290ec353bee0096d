import { readJpeg } from './jpeg.ts';
import type { Picture } from './picture.ts';
import { readPng } from './png.ts';
import { readWebp } from './webp.ts';

export const MOST_BYTES = 256 * 1024;

export interface Image extends Picture {
  contentType: 'image/jpeg' | 'image/png' | 'image/webp';
}

/** What a file is, by its content. Undefined for everything that is not a single still JPEG, PNG or WebP. */
export function readImage(file: Buffer): Image | undefined {
  try {
    if (file.subarray(0, 8).equals(PNG_MAGIC)) return image('image/png', readPng(file));
    if (file.subarray(0, 3).equals(JPEG_MAGIC)) return image('image/jpeg', readJpeg(file));
    const isRiff = file.toString('latin1', 0, 4) === 'RIFF';
    if (isRiff && file.toString('latin1', 8, 12) === 'WEBP')
      return image('image/webp', readWebp(file));
  } catch (error) {
    // It ends too early.
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

const PNG_MAGIC = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG_MAGIC = Buffer.from([0xff, 0xd8, 0xff]);

function image(contentType: Image['contentType'], picture: Picture | undefined) {
  return picture && { contentType, ...picture };
}
