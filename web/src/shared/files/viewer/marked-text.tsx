import { Fragment, useEffect, useRef } from 'react';
import { findInText } from './find-in-text.ts';

/** So many are marked. More would make the page slow, and nobody looks at them. */
const MOST_MARKS = 2_000;

interface MarkedTextProps {
  text: string;
  query: string;
  /** Which match the search is at. */
  nth: number | undefined;
}

/** A text with what was searched in it. */
export function MarkedText({ text, query, nth }: MarkedTextProps) {
  const current = useRef<HTMLElement>(null);
  const marks = query === '' ? [] : findInText(text, query).slice(0, MOST_MARKS);
  useEffect(() => {
    if (nth !== undefined) current.current?.scrollIntoView({ block: 'center' });
  }, [nth, query, text]);
  return (
    <>
      {marks.map(({ from, to }, at) => (
        <Fragment key={from}>
          {text.slice(marks[at - 1]?.to ?? 0, from)}
          <mark
            ref={at === nth ? current : undefined}
            data-match={at === nth ? 'current' : 'other'}
            className={`rounded-xs bg-warn-soft text-ink ${at === nth ? 'outline-2 outline-accent' : ''}`}
          >
            {text.slice(from, to)}
          </mark>
        </Fragment>
      ))}
      {text.slice(marks.at(-1)?.to ?? 0)}
    </>
  );
}
