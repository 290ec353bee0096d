import { RotateCcw, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { cancelUploads } from '../../data/uploads/cancel-uploads.ts';
import { readBytes } from '../../data/uploads/bytes.ts';
import { isSameFile, isStuck, type Upload } from '../../data/uploads/upload.ts';
import { giveBytes, retryUpload } from '../../data/uploads/uploads.ts';
import { useOwner, useWorkspace } from '../../data/workspace.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { toast } from '../../ui/layers/toast.tsx';
import { cx } from '../../ui/text/cx.ts';
import { chooseFiles } from './choose-files.ts';
import { FileName } from './file-card.tsx';
import { FileIcon } from './file-icon.tsx';
import { sizeInWords } from './file-words.ts';
import { makeThumbnail } from './make-thumbnail.ts';
import { UploadState } from './upload-state.tsx';

/** A file on its way, with what can be done about it. */
export function UploadItem({ upload }: { upload: Upload }) {
  const owner = useOwner();
  const { client } = useWorkspace();
  const stuck = isStuck(upload);
  return (
    <li
      className={cx(
        'relative flex min-w-0 items-center gap-2 overflow-hidden rounded-lg border bg-ground py-1 ps-2 pe-1',
        stuck ? 'border-danger' : 'border-line',
      )}
    >
      <Thumbnail upload={upload} />
      <span className="flex min-w-0 flex-1 flex-col">
        <FileName name={upload.name} className="text-note font-medium" />
        <UploadState upload={upload} />
      </span>
      {upload.state === 'failed' && (
        <IconButton
          label={`Try ${upload.name} again`}
          icon={RotateCcw}
          onClick={() => retryUpload(owner, upload)}
        />
      )}
      {upload.state === 'missing' && <ChooseAgain upload={upload} owner={owner} />}
      <IconButton
        label={upload.state === 'waiting' ? `Cancel ${upload.name}` : `Remove ${upload.name}`}
        icon={X}
        onClick={() => void cancelUploads(owner, client, [upload])}
      />
    </li>
  );
}

function ChooseAgain({ upload, owner }: { upload: Upload; owner: string }) {
  async function choose() {
    const [file] = await chooseFiles({ isSingle: true });
    if (!file) return;
    if (isSameFile(upload, file)) giveBytes(owner, upload, file);
    else toast(`That is another file. Choose ${upload.name} with ${sizeInWords(upload.size)}.`);
  }
  return (
    <IconButton
      label={`Choose ${upload.name} again`}
      icon={RotateCcw}
      onClick={() => void choose()}
    />
  );
}

/** The picture, as soon as it was read, or what kind of file it is. */
function Thumbnail({ upload }: { upload: Upload }) {
  const { id, mediaType } = upload;
  const [picture, setPicture] = useState<string>();
  useEffect(() => {
    let isWanted = mediaType.startsWith('image/');
    void (async () => {
      const bytes = isWanted ? await readBytes(id) : undefined;
      const made = bytes && (await makeThumbnail(bytes));
      if (isWanted) setPicture(made);
    })();
    return () => {
      isWanted = false;
    };
  }, [id, mediaType]);
  return (
    <span className="flex size-9 shrink-0 items-center justify-center overflow-hidden rounded-md bg-accent-soft text-accent">
      {picture === undefined ? (
        <FileIcon of={upload} className="size-5" />
      ) : (
        <img src={picture} alt="" className="size-full object-cover" />
      )}
    </span>
  );
}
