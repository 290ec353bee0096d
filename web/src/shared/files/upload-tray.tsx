import type { Upload } from '../../data/uploads/upload.ts';
import { UploadItem } from './upload-item.tsx';

/** The files of what is being written. */
export function UploadTray({ uploads }: { uploads: readonly Upload[] }) {
  return (
    <ul
      aria-label="Attached files"
      className="grid max-h-48 auto-rows-max grid-cols-1 gap-1.5 overflow-y-auto px-2 pt-2 sm:grid-cols-2"
    >
      {uploads.map((upload) => (
        <UploadItem key={upload.id} upload={upload} />
      ))}
    </ul>
  );
}
