import type { Attachment } from '@atrium/sdk';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonClass } from '../../ui/controls/button.tsx';
import { cx } from '../../ui/text/cx.ts';
import { downloadUrl } from './addresses.ts';
import { FileMark } from './file-mark.tsx';
import { isPdf, sizeInWords, statusInWords, typeInWords } from './file-words.ts';

interface FileCardProps {
  file: Attachment;
  onOpen: () => void;
  /** More buttons. */
  actions?: ReactNode;
}

/** A file with its name, type and size. Pressing it opens it. */
export function FileCard({ file, onOpen, actions }: FileCardProps) {
  const problem = statusInWords(file);
  const isLost = file.status === 'FAILED' || file.status === 'REFUSED';
  const facts = [typeInWords(file), pagesInWords(file), sizeInWords(file.size)];
  return (
    <div className="flex w-full max-w-sm min-w-0 items-center rounded-lg border border-line bg-surface">
      <button
        type="button"
        disabled={isLost}
        onClick={onOpen}
        className="flex min-h-14 min-w-0 flex-1 items-center gap-3 rounded-lg px-3 py-2 text-start hover:bg-hover disabled:hover:bg-transparent"
      >
        <FileMark file={file} />
        <span className="flex min-w-0 flex-col">
          <FileName name={file.name} className="text-sm font-medium" />
          <span className={cx('text-xs', isLost ? 'text-danger' : 'truncate text-muted')}>
            {problem ?? facts.filter(Boolean).join(' · ')}
          </span>
        </span>
      </button>
      <span className="flex shrink-0 items-center pe-1.5">
        {!problem && <DownloadLink file={file} />}
        {actions}
      </span>
    </div>
  );
}

function pagesInWords(file: Attachment): string | false {
  return (
    isPdf(file) && file.pages !== null && `${file.pages} ${file.pages === 1 ? 'page' : 'pages'}`
  );
}

/** A long name loses its middle, because its end says what it is. */
export function FileName({ name, className = '' }: { name: string; className?: string }) {
  // Half a character at its beginning is left to the other part.
  const end = name.length > 24 ? name.slice(-10).replace(/^[\uDC00-\uDFFF]/, '') : '';
  return (
    <bdi title={name} className={cx('flex min-w-0', className)}>
      <span className="truncate whitespace-pre">{name.slice(0, name.length - end.length)}</span>
      {end && <span className="shrink-0 whitespace-pre">{end}</span>}
    </bdi>
  );
}

export function DownloadLink({
  file: { fileId, name },
}: {
  file: Pick<Attachment, 'fileId' | 'name'>;
}) {
  return (
    <a
      href={downloadUrl(fileId)}
      download={name}
      aria-label={`Download ${name}`}
      data-tooltip="Download"
      className={cx(buttonClass('quiet', 'small'), 'size-9 shrink-0 px-0! sm:size-8')}
    >
      <Download aria-hidden className="size-4" />
    </a>
  );
}
