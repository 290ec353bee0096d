import type { Attachment } from '@atrium/sdk';
import { useState } from 'react';
import { contentUrl, previewUrl } from './addresses.ts';
import { FileCard } from './file-card.tsx';
import { isPicture } from './file-words.ts';
import { fitInto, type Size } from './fit-into.ts';
import { useOpenFile } from './shown-files.ts';

/** What a message has attached: pictures in the text, everything else as cards. */
export function Attachments({ files }: { files: readonly Attachment[] }) {
  const open = useOpenFile();
  const pictures = files.filter(isPicture);
  const others = files.filter((file) => !isPicture(file));
  const openFile = ({ fileId }: Attachment) => open(fileId, files);
  const most = pictures.length === 1 ? LARGE : SMALL;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {pictures.length > 0 && (
        <ul aria-label="Pictures" className="flex min-w-0 flex-wrap gap-2">
          {pictures.map((picture) => (
            // Two beside each other on a phone, where they would be a long column.
            <li
              key={picture.fileId}
              className={
                pictures.length === 1 ? 'max-w-full' : 'max-w-full max-sm:max-w-[calc(50%-0.25rem)]'
              }
            >
              <Picture file={picture} most={most} onOpen={() => openFile(picture)} />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul aria-label="Files" className="flex min-w-0 flex-col gap-2">
          {others.map((file) => (
            <li key={file.fileId} className="min-w-0">
              <FileCard file={file} onOpen={() => openFile(file)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const LARGE: Size = { width: 480, height: 360 };
/** Of several, each has the same height, so that rows are even. */
const SMALL: Size = { width: 320, height: 160 };
/** Larger than this, a moving picture is only played in the viewer. */
const MOST_MOVING_BYTES = 4 * 1024 ** 2;

interface PictureProps {
  file: Attachment & { image: Size };
  most: Size;
  onOpen: () => void;
}

/** Its space is reserved, so that nothing moves when it arrives. */
function Picture({ file, most, onOpen }: PictureProps) {
  const { fileId, name, image } = file;
  const [isBroken, setBroken] = useState(false);
  const { width, height } = fitInto(image, most);
  if (isBroken) return <FileCard file={file} onOpen={onOpen} />;
  return (
    <button
      type="button"
      aria-label={`Open ${name}`}
      onClick={onOpen}
      style={{ width, aspectRatio: `${width} / ${height}` }}
      className="block max-w-full cursor-zoom-in overflow-hidden rounded-lg border border-line bg-well"
    >
      <img
        src={isPlayed(file) ? contentUrl(fileId) : previewUrl(fileId, width)}
        alt={name}
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
        draggable={false}
        className="size-full object-cover"
        onError={() => setBroken(true)}
      />
    </button>
  );
}

function isPlayed({ mediaType, size }: Attachment): boolean {
  if (mediaType !== 'image/gif' || size > MOST_MOVING_BYTES) return false;
  return !matchMedia('(prefers-reduced-motion: reduce)').matches;
}
