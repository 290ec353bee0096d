const SIDE = 72;

/** The middle of a picture as a data: URL, because the page's policy allows no others. Undefined if it is none. */
export async function makeThumbnail(file: Blob): Promise<string | undefined> {
  // An SVG is not drawn at all.
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return undefined;
  const { width, height } = picture;
  const side = Math.min(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  const paper = canvas.getContext('2d');
  paper?.drawImage(picture, (width - side) / 2, (height - side) / 2, side, side, 0, 0, SIDE, SIDE);
  picture.close();
  return paper ? canvas.toDataURL('image/webp', 0.8) : undefined;
}
