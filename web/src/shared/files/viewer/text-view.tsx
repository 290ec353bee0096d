import type { File as StoredFile } from '@atrium/sdk';
import { useEffect, useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useFetched } from '../../../data/use-fetched.ts';
import { Loading } from '../../../ui/states/loading.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { FindInFile } from './find-in-file.tsx';
import { GoToPage } from './go-to-page.tsx';
import { MarkedText } from './marked-text.tsx';
import { useFind } from './use-find.ts';
import { useFirstFocus } from './use-first-focus.ts';

/** The text that was read from a file, as text: nothing in it is run or laid out. */
export function TextView({ file, page }: { file: StoredFile; page: number | undefined }) {
  const scroller = useFirstFocus<HTMLDivElement>();
  const [chosen, setChosen] = useState(page ?? 1);
  const text = useFetched(
    (orgId) => [...keys.file(orgId, file.id), 'text', chosen],
    ({ client }, options) => client.files.text(file.id, { page: chosen }, options),
    { staleTime: Infinity },
  );
  const find = useFind(file, chosen);
  const { query, current } = find;
  const foundAt = current?.index;
  const foundOn = current?.page;
  useEffect(() => {
    if (foundOn !== undefined) setChosen(foundOn);
  }, [foundAt, foundOn, query]);
  const pages = text.data?.pages ?? file.pages ?? 1;
  const isWritten = file.mediaType.startsWith('text/') || file.mediaType.endsWith('json');
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-2 py-1.5 sm:px-4">
        {pages > 1 && <GoToPage page={chosen} pages={pages} onGo={setChosen} />}
        <FindInFile file={file} find={find} />
        {!isWritten && (
          <p className="text-note text-muted">This is its text. Download it to see its layout.</p>
        )}
      </div>
      <div
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label="Text"
        className="min-h-0 flex-1 overflow-y-auto p-4 -outline-offset-2"
      >
        <Loading of={text} rows={6} label="Loading text…" />
        {text.data && (
          <pre
            dir="auto"
            className={cx(
              'mx-auto max-w-4xl whitespace-pre-wrap wrap-anywhere',
              isWritten ? 'font-mono text-note' : 'font-sans',
            )}
          >
            <MarkedText
              text={text.data.text}
              query={query}
              nth={current?.page === chosen ? current.nth : undefined}
            />
          </pre>
        )}
      </div>
    </>
  );
}
