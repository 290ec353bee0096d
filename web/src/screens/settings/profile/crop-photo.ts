const SIDE = 256;
const MOST_BYTES = 256 * 1024;
/** The first that is small enough. Browsers that can't write WebP write PNG instead. */
const FORMATS = [
  ['image/webp', 0.9],
  ['image/jpeg', 0.9],
  ['image/jpeg', 0.6],
] as const;

/** The middle of a picture as a square of 256 pixels, in base64. Undefined if the file is no picture. */
export async function cropPhoto(file: Blob): Promise<string | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return undefined;
  const { width, height } = picture;
  const side = Math.min(width, height);
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const paper = canvas.getContext('2d');
  if (!paper) return undefined;
  paper.imageSmoothingQuality = 'high';
  // Behind what is transparent.
  paper.fillStyle = '#ffffff';
  paper.fillRect(0, 0, SIDE, SIDE);
  paper.drawImage(picture, (width - side) / 2, (height - side) / 2, side, side, 0, 0, SIDE, SIDE);
  picture.close();
  for (const [type, quality] of FORMATS) {
    const blob = await canvas.convertToBlob({ type, quality });
    if (blob.size <= MOST_BYTES) return toBase64(new Uint8Array(await blob.arrayBuffer()));
  }
  return undefined;
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
