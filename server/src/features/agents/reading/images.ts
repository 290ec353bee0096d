import type { PromptImage } from '../../../adapters/models/model.ts';
import type { Context } from '../../../core/context.ts';
import type { AttachedText } from '../../documents/service.ts';
import { withLocalCopy } from '../../files/service.ts';

const MOST_IMAGES = 5;
/** As wide as providers look at them; the rest would only cost. */
const WIDTH = 1_280;

/** A picture, with the file that it is of. */
export interface ShownImage extends PromptImage {
  fileId: string;
}

/** The pictures among the files, scaled down. One that can't be read is left out. */
export async function readImages(
  ctx: Context,
  files: readonly AttachedText[],
  signal: AbortSignal | undefined,
): Promise<ShownImage[]> {
  const distinct = [...new Map(files.map((file) => [file.id, file])).values()];
  const pictures = distinct
    .filter(({ status, imageWidth }) => status === 'READY' && imageWidth !== null)
    .slice(0, MOST_IMAGES);
  const images: ShownImage[] = [];
  for (const { id: fileId, mediaType, name, storageKey, size } of pictures) {
    try {
      const picture = await withLocalCopy(ctx, { storageKey, size }, (path) =>
        ctx.fileReader.preview(
          { path, mediaType, name },
          { width: WIDTH, ...(signal && { signal }) },
        ),
      );
      if (picture) images.push({ fileId, mediaType: 'image/webp', bytes: picture.bytes });
    } catch (error) {
      signal?.throwIfAborted();
      ctx.log.warn({ fileId, err: error }, 'could not show a picture to a model');
    }
  }
  return images;
}
