import type { Attachment } from '@atrium/sdk';
import { useState } from 'react';
import { previewUrl } from './addresses.ts';
import { FileIcon } from './file-icon.tsx';
import { isPicture } from './file-words.ts';

const SIDE = 36;

/** Before a file's name: the picture, or what kind of file it is. */
export function FileMark({ file }: { file: Omit<Attachment, 'size' | 'pages'> }) {
  const [isBroken, setBroken] = useState(false);
  return (
    <span className="flex size-9 shrink-0 items-center justify-center overflow-hidden rounded-md bg-accent-soft text-accent">
      {isPicture(file) && !isBroken ? (
        <img
          src={previewUrl(file.fileId, SIDE)}
          alt=""
          width={SIDE}
          height={SIDE}
          loading="lazy"
          className="size-full object-cover"
          onError={() => setBroken(true)}
        />
      ) : (
        <FileIcon of={file} className="size-5" />
      )}
    </span>
  );
}
