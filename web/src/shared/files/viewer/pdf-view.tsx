import type { File as StoredFile } from '@atrium/sdk';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { previewUrl } from '../addresses.ts';
import { FindInFile } from './find-in-file.tsx';
import { GoToPage } from './go-to-page.tsx';
import { PageMarks } from './page-marks.tsx';
import { useFind, type Find } from './use-find.ts';
import { useFirstFocus } from './use-first-focus.ts';

/** Of A4, until the first page is there. */
const USUAL_RATIO = Math.SQRT2;
const WIDEST = 900;
const GAP = 16;

interface PdfViewProps {
  file: StoredFile;
  pages: number;
  /** The page to begin at. */
  page: number | undefined;
}

/** Pictures of the pages, which the server makes: nothing of the PDF itself reaches the browser. */
export function PdfView({ file, pages, page }: PdfViewProps) {
  const scroller = useFirstFocus<HTMLDivElement>();
  const width = usePageWidth(scroller);
  const [ratio, setRatio] = useState(USUAL_RATIO);
  const height = Math.round(width * ratio);
  const virtual = useVirtualizer({
    count: pages,
    getScrollElement: () => scroller.current,
    estimateSize: () => height + GAP,
    overscan: 1,
  });
  const [wanted, setWanted] = useState({ page: page ?? 1 });
  useEffect(() => {
    if (page !== undefined) setWanted({ page });
  }, [page]);
  useLayoutEffect(() => {
    virtual.measure();
    virtual.scrollToIndex(Math.min(wanted.page, pages) - 1, { align: 'start' });
  }, [wanted, height, pages, virtual]);
  const offset = virtual.scrollOffset ?? 0;
  const shown = Math.min(pages, Math.floor((offset + height / 3) / (height + GAP)) + 1);
  const find = useFind(file, shown);
  const { query, current } = find;
  const foundAt = current?.index;
  const foundOn = current?.page;
  const goTo = useEffectEvent((next: number) => {
    // Where it is on a page that is shown already, its mark says.
    if (next !== shown) setWanted({ page: next });
  });
  useEffect(() => {
    if (foundOn !== undefined) goTo(foundOn);
  }, [foundAt, foundOn, query]);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-2 py-1.5 sm:px-4">
        <GoToPage page={shown} pages={pages} onGo={(next) => setWanted({ page: next })} />
        <FindInFile file={file} find={find} />
      </div>
      <div
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label="Pages"
        className="min-h-0 flex-1 overflow-y-auto bg-well p-4 -outline-offset-2"
      >
        <div className="relative mx-auto" style={{ width, height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <Page
              key={index}
              file={file}
              page={index + 1}
              size={{ width, height }}
              start={start}
              find={find}
              onRatio={index === 0 || ratio === USUAL_RATIO ? setRatio : undefined}
            />
          ))}
        </div>
      </div>
    </>
  );
}

interface PageProps {
  file: StoredFile;
  page: number;
  size: { width: number; height: number };
  start: number;
  find: Find;
  /** Nearly always, all pages have the same. */
  onRatio: ((ratio: number) => void) | undefined;
}

function Page({ file, page, size, start, find: { query, current, isOn }, onRatio }: PageProps) {
  const [isBroken, setBroken] = useState(false);
  const [own, setOwn] = useState<number>();
  const width = Math.min(size.width, size.height / (own ?? 1));
  return (
    <div
      className="absolute top-0 flex items-center justify-center bg-white shadow-sm"
      style={{ ...size, transform: `translateY(${start}px)` }}
    >
      {isBroken ? (
        <p className="p-4 text-center text-sm text-black">Page {page} can’t be shown.</p>
      ) : (
        <img
          src={previewUrl(file.id, size.width, page)}
          alt={`Page ${page}`}
          className="size-full object-contain"
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
            if (naturalWidth === 0) return;
            setOwn(naturalHeight / naturalWidth);
            onRatio?.(naturalHeight / naturalWidth);
          }}
          onError={() => setBroken(true)}
        />
      )}
      {isOn(page) && own !== undefined && (
        <div className="absolute" style={{ width, aspectRatio: `1 / ${own}` }}>
          <PageMarks
            fileId={file.id}
            page={page}
            query={query}
            nth={current?.page === page ? current.nth : undefined}
          />
        </div>
      )}
    </div>
  );
}

function usePageWidth(scroller: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(WIDEST);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () => setWidth(Math.max(200, Math.min(WIDEST, element.clientWidth - 32)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  return width;
}
