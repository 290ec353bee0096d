import { useEffect, useRef } from 'react';
import { useMatches } from './use-find.ts';

interface PageMarksProps {
  fileId: string;
  page: number;
  query: string;
  /** Which match of the page the search is at. */
  nth: number | undefined;
}

/** Lies over the picture of a page, and marks what was searched. */
export function PageMarks({ fileId, page, query, nth }: PageMarksProps) {
  const { data } = useMatches(fileId, query, page);
  const current = useRef<HTMLDivElement>(null);
  const boxes = data?.boxes ?? [];
  const first = boxes.findIndex(({ match }) => match === nth);
  const isThere = first >= 0;
  useEffect(() => {
    if (isThere) current.current?.scrollIntoView({ block: 'center' });
  }, [isThere, nth, query]);
  return boxes.map(({ match, x, y, width, height }, at) => (
    <div
      key={at}
      ref={at === first ? current : undefined}
      data-match={match === nth ? 'current' : 'other'}
      style={{
        left: percent(x),
        top: percent(y),
        width: percent(width),
        height: percent(height),
      }}
      className={`pointer-events-none absolute rounded-xs bg-accent-strong/30 ${match === nth ? 'outline-2 outline-accent-strong' : ''}`}
    />
  ));
}

function percent(share: number): string {
  return `${100 * share}%`;
}
