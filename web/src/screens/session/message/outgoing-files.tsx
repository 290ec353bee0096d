import type { Upload } from '../../../data/uploads/upload.ts';
import { FileName } from '../../../shared/files/file-card.tsx';
import { FileIcon } from '../../../shared/files/file-icon.tsx';
import { UploadState } from '../../../shared/files/upload-state.tsx';

/** The files that a message waits for. */
export function OutgoingFiles({ uploads }: { uploads: readonly Upload[] }) {
  return (
    <ul aria-label="Attached files" className="flex flex-col gap-1.5 py-1">
      {uploads.map((upload) => (
        <li
          key={upload.id}
          className="flex min-h-11 max-w-sm min-w-0 items-center gap-2 rounded-lg border border-line px-2 py-1"
        >
          <FileIcon of={upload} className="size-5 shrink-0 text-muted" />
          <span className="flex min-w-0 flex-1 flex-col">
            <FileName name={upload.name} className="text-note" />
            <UploadState upload={upload} />
          </span>
        </li>
      ))}
    </ul>
  );
}
