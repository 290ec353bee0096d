import type { MemoryMatch } from '@atrium/sdk';

/** How well a memory matches, as a bar and a number. */
export function ScoreBar({ score }: { score: number }) {
  const percent = Math.round(score * 100);
  return (
    <span className="inline-flex shrink-0 items-center gap-2 text-note tabular-nums">
      <span aria-hidden className="h-1.5 w-14 overflow-hidden rounded-full bg-hover">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
      </span>
      <span>
        {inPercent(score)}
        <span className="sr-only"> match</span>
      </span>
    </span>
  );
}

/** A weak match is not none. */
export function inPercent(share: number): string {
  const percent = Math.round(share * 100);
  return percent === 0 && share > 0 ? 'under 1%' : `${percent}%`;
}

/** The parts of the score, each explained. */
export function ScoreDetails({ scores }: { scores: MemoryMatch['scores'] }) {
  const rows = [
    {
      name: 'Meaning',
      value: scores.vector,
      about: 'How similar your words and the memory are in meaning',
    },
    {
      name: 'Words',
      value: scores.lexical,
      about: 'How many of your words it contains. Rare words count more.',
    },
    {
      name: 'Closer look',
      value: scores.rerank,
      about: 'How similar they are word by word, in context',
    },
  ];
  return (
    <details className="text-note text-muted">
      <summary className="inline-flex min-h-6 items-center rounded underline decoration-dotted underline-offset-4">
        Why this match?
      </summary>
      <dl className="mt-1 grid grid-cols-[auto_1fr] sm:grid-cols-[auto_auto_1fr] gap-x-3 gap-y-1 rounded-md bg-hover px-3 py-2">
        {rows.map(({ name, value, about }) => (
          <div key={name} className="contents">
            <dt className="font-medium text-ink">{name}</dt>
            <dd className="text-ink tabular-nums">
              {value === null ? 'Not compared' : inPercent(value)}
            </dd>
            <dd className="col-span-2 sm:col-span-1">{about}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
