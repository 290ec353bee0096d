import { readFile, writeFile } from 'node:fs/promises';
import { kindOf } from '../documents/kind-of.ts';
import type { FileToRead } from '../file-reader.ts';
import type { ReaderLimits } from '../limits.ts';
import type { CleanResult } from '../protocol.ts';
import { Unreadable } from '../reasons.ts';
import { openPicture, type OpenedPicture } from './open-picture.ts';
import { stripJpeg } from './strip-jpeg.ts';
import { stripPng } from './strip-png.ts';

const QUALITY = 92;

/** Only a picture that must be turned is encoded again. Any other one keeps its pixels as they are. */
export async function cleanPicture(
  file: FileToRead,
  copyTo: string,
  limits: ReaderLimits,
): Promise<CleanResult['picture']> {
  if (kindOf(file) !== 'picture') return null;
  try {
    const picture = await openPicture(file.path, limits);
    const { width, height, format } = picture;
    if (format !== 'jpeg' && format !== 'png') return { width, height, isCopied: false };
    const bytes = await cleaned(file.path, picture);
    await writeFile(copyTo, bytes);
    return { width, height, isCopied: true };
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

async function cleaned(path: string, picture: OpenedPicture): Promise<Buffer> {
  const { format, orientation } = picture;
  if (orientation <= 1) {
    const bytes = await readFile(path);
    const stripped = format === 'jpeg' ? stripJpeg(bytes) : stripPng(bytes);
    if (stripped) return stripped;
  }
  // sharp leaves out all metadata that it is not told to keep.
  const upright = picture.open(1).autoOrient().keepIccProfile();
  const encoded =
    format === 'jpeg' ? upright.jpeg({ quality: QUALITY, mozjpeg: false }) : upright.png();
  return encoded.toBuffer().catch(() => {
    throw new Unreadable('damaged');
  });
}
