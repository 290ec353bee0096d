import type { Attachment, File as StoredFile } from '@atrium/sdk';
import { useState } from 'react';
import { contentUrl, previewUrl } from '../addresses.ts';

type Picture = StoredFile & { image: NonNullable<Attachment['image']> };

/** Browsers show these themselves. Of large ones, and of all others, the server makes a smaller picture. */
const SHOWN = /^image\/(png|jpeg|gif|webp|avif)$/;
const MOST_BYTES = 8 * 1024 ** 2;
const WIDEST = 2048;

export function PictureView({ file }: { file: Picture }) {
  const [isBroken, setBroken] = useState(false);
  const isOriginal = SHOWN.test(file.mediaType) && file.size <= MOST_BYTES && !isBroken;
  return (
    <div className="flex min-h-0 flex-1 items-center justify-center bg-well p-2 sm:p-6">
      <img
        src={isOriginal ? contentUrl(file.id) : previewUrl(file.id, WIDEST)}
        alt={file.name}
        width={file.image.width}
        height={file.image.height}
        className="h-auto max-h-full w-auto max-w-full object-contain"
        onError={() => setBroken(true)}
      />
    </div>
  );
}
