import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Upload } from '../../data/uploads/upload.ts';
import { useProgress } from '../../data/uploads/uploads.ts';
import { sizeInWords } from './file-words.ts';

/** How far it is, or what is wrong with it. */
export function UploadState({ upload }: { upload: Upload }) {
  const { state, name, size, error } = upload;
  const sent = useProgress(upload.id);
  if (state === 'failed') {
    return <Problem>{error ?? 'Couldn’t be uploaded.'}</Problem>;
  }
  if (state === 'missing') {
    return <Problem>This browser no longer has the file. Choose it again to go on.</Problem>;
  }
  if (state === 'stored') {
    return <span className="text-xs text-muted">{sizeInWords(size)}</span>;
  }
  const percent = Math.floor((100 * sent) / Math.max(1, size));
  return (
    <span className="flex items-center gap-2 text-xs text-muted tabular-nums">
      <span
        role="progressbar"
        aria-label={`Uploading ${name}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-1 min-w-12 flex-1 overflow-hidden rounded-full bg-hover"
      >
        <span className="block h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
      </span>
      <span className="w-8 shrink-0 text-end">{percent}%</span>
    </span>
  );
}

function Problem({ children }: { children: ReactNode }) {
  return (
    <span role="alert" className="flex min-w-0 items-start gap-1 text-xs text-danger">
      <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </span>
  );
}
