import type { File as StoredFile } from '@atrium/sdk';
import { ChevronLeft, ChevronRight, ExternalLink, FileX, X } from 'lucide-react';
import { useId, type KeyboardEvent, type ReactNode } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { usePeople } from '../../../data/queries.ts';
import { useStore } from '../../../data/store.ts';
import { orNull, useFetched } from '../../../data/use-fetched.ts';
import { buttonClass, IconButton } from '../../../ui/controls/button.tsx';
import { takesLetters } from '../../../ui/keys/takes-keys.ts';
import { ModalContext, useModal } from '../../../ui/layers/modal.ts';
import { Day } from '../../../ui/marks/time.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { Loading } from '../../../ui/states/loading.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { contentUrl } from '../addresses.ts';
import { DownloadLink, FileName } from '../file-card.tsx';
import { FileIcon } from '../file-icon.tsx';
import { isPdf, isPicture, sizeInWords, statusInWords, typeInWords } from '../file-words.ts';
import { neighbours } from '../shown-files.ts';
import { PdfView } from './pdf-view.tsx';
import { PictureView } from './picture-view.tsx';
import { TextView } from './text-view.tsx';

interface FileViewerProps {
  fileId: string;
  page: number | undefined;
  /** Shows another file in its place. */
  onOther: (fileId: string) => void;
  onClose: () => void;
}

/** One file over the whole page. The arrow keys go to the ones beside it, D downloads it, Escape closes it. */
export function FileViewer({ fileId, page, onOther, onClose }: FileViewerProps) {
  const [dialog, modal] = useModal(onClose);
  const id = useId();
  const file = useFile(fileId);
  const among = useStore(neighbours);
  const at = among.findIndex((one) => one.fileId === fileId);
  const before = at > 0 ? among[at - 1] : undefined;
  const after = at < 0 ? undefined : among[at + 1];
  function handleKey(event: KeyboardEvent) {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || takesLetters(target)) return;
    const other = key === 'ArrowLeft' ? before : key === 'ArrowRight' ? after : undefined;
    if (other) onOther(other.fileId);
    else if (key.toLowerCase() === 'd') {
      dialog?.querySelector<HTMLAnchorElement>('a[download]')?.click();
    } else return;
    event.preventDefault();
  }
  return (
    <dialog
      {...modal}
      aria-labelledby={`${id}-name`}
      onKeyDown={handleKey}
      className="m-0 h-dvh max-h-none w-screen max-w-none bg-ground text-ink open:flex open:flex-col"
    >
      <ModalContext value={dialog}>
        <header className="flex min-h-14 min-w-0 items-center gap-2 border-b border-line bg-surface px-2 py-1.5 sm:gap-3 sm:px-4">
          <div className="flex min-w-0 flex-1 items-center gap-2.5">
            {file.data && (
              <FileIcon of={file.data} className="size-5 shrink-0 text-accent max-sm:hidden" />
            )}
            <div className="flex min-w-0 flex-col">
              <h2
                id={`${id}-name`}
                data-autofocus
                tabIndex={-1}
                className="flex min-w-0 font-semibold outline-none"
              >
                {file.data ? <FileName name={file.data.name} /> : 'File'}
              </h2>
              {file.data && <Facts file={file.data} />}
            </div>
          </div>
          {among.length > 1 && at >= 0 && (
            <div className="flex shrink-0 items-center">
              <IconButton
                label="Previous file"
                icon={ChevronLeft}
                disabled={!before}
                onClick={() => before && onOther(before.fileId)}
              />
              <span className="text-note text-muted tabular-nums" aria-live="polite">
                <span className="sr-only">File </span>
                {at + 1} of {among.length}
              </span>
              <IconButton
                label="Next file"
                icon={ChevronRight}
                disabled={!after}
                onClick={() => after && onOther(after.fileId)}
              />
            </div>
          )}
          {file.data?.status === 'READY' && <Actions file={file.data} />}
          <IconButton label="Close file" icon={X} iconClass="size-5" onClick={onClose} />
        </header>
        <Loading of={file}>
          <p role="status" className="m-auto text-muted">
            Loading file…
          </p>
        </Loading>
        {file.data === null && (
          <Centred>
            <EmptyState icon={FileX} title="File not available">
              It was deleted, or you can’t see it any more.
            </EmptyState>
          </Centred>
        )}
        {file.data && <Content key={fileId} file={file.data} page={page} />}
      </ModalContext>
    </dialog>
  );
}

const CHECKED_EVERY_MS = 2_000;

function useFile(fileId: string) {
  return useFetched(
    (orgId) => keys.file(orgId, fileId),
    ({ client }, options) => orNull(() => client.files.get(fileId, options)),
    {
      staleTime: 30_000,
      // What is being checked, or read, changes soon.
      refetchInterval: ({ state: { data } }) =>
        data && (statusOf(data) || data.text === 'PENDING') ? CHECKED_EVERY_MS : false,
    },
  );
}

function statusOf({ status }: StoredFile): boolean {
  return status === 'UPLOADING' || status === 'CHECKING';
}

function Facts({ file }: { file: StoredFile }) {
  const person = usePeople();
  const by = file.uploadedByAgent ?? person(file.uploadedById).name;
  return (
    <p className="truncate text-xs text-muted">
      {typeInWords(file)} · {sizeInWords(file.size)} · <bdi>{by}</bdi>, <Day at={file.createdAt} />
    </p>
  );
}

function Actions({ file }: { file: StoredFile }) {
  const { id: fileId, name } = file;
  return (
    <div className="flex shrink-0 items-center">
      {isPicture(file) && (
        <a
          href={contentUrl(fileId)}
          target="_blank"
          rel="noreferrer"
          aria-label="Open the original in a new tab"
          data-tooltip="Open the original"
          className={cx(buttonClass('quiet', 'small'), 'size-8 shrink-0 px-0! max-sm:hidden')}
        >
          <ExternalLink aria-hidden className="size-4" />
        </a>
      )}
      <DownloadLink file={{ fileId, name }} />
    </div>
  );
}

function Content({ file, page }: { file: StoredFile; page: number | undefined }) {
  const problem = statusInWords(file);
  if (problem) return <NoPreview file={file}>{problem}</NoPreview>;
  if (isPicture(file)) return <PictureView file={file} />;
  if (isPdf(file) && file.pages !== null)
    return <PdfView file={file} pages={file.pages} page={page} />;
  if (file.text === 'READY') return <TextView file={file} page={page} />;
  if (file.text === 'PENDING') return <NoPreview file={file}>Its text is being read…</NoPreview>;
  return <NoPreview file={file}>There is no preview. Download it to open it.</NoPreview>;
}

function NoPreview({ file, children }: { file: StoredFile; children: ReactNode }) {
  return (
    <Centred>
      <FileIcon of={file} className="size-12 text-muted" />
      <p role="status" className="max-w-prose text-center text-muted wrap-anywhere">
        {children}
      </p>
    </Centred>
  );
}

function Centred({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center justify-center gap-3 overflow-y-auto p-6">
      {children}
    </div>
  );
}
