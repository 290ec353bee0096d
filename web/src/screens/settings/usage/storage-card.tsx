import { keys } from '../../../data/query-keys.ts';
import { useFetched } from '../../../data/use-fetched.ts';
import { sizeInWords } from '../../../shared/files/file-words.ts';
import { Card } from '../../../ui/pages/page.tsx';
import { Loading } from '../../../ui/states/loading.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { countOf } from '../../../ui/text/count-of.ts';
import { cx } from '../../../ui/text/cx.ts';

/** From here on, somebody should look after it. */
const NEARLY_FULL = 0.9;

/** How much the organisation's files take, of what they may. */
export function StorageCard() {
  const usage = useFetched(keys.fileUsage, ({ client, org }, options) =>
    client.files.usage(org.id, options),
  );
  return (
    <Card title="Storage" description="Files in messages, on tasks and in projects.">
      <Loading of={usage}>
        <Skeleton className="h-12 w-full" />
      </Loading>
      {usage.data && <Meter {...usage.data} />}
    </Card>
  );
}

function Meter({ bytes, files, maxBytes }: { bytes: number; files: number; maxBytes: number }) {
  const share = Math.min(1, bytes / maxBytes);
  const isNearlyFull = share >= NEARLY_FULL;
  const words = `${sizeInWords(bytes)} of ${sizeInWords(maxBytes)}`;
  return (
    <div className="flex flex-col gap-2">
      <p className="flex flex-wrap justify-between gap-x-4 text-sm tabular-nums">
        <span className="font-medium">{words}</span>
        <span className="text-muted">{countOf(files, 'file')}</span>
      </p>
      <div
        role="meter"
        aria-label="Storage used"
        aria-valuemin={0}
        aria-valuemax={maxBytes}
        aria-valuenow={Math.min(bytes, maxBytes)}
        aria-valuetext={words}
        className="h-2 overflow-hidden rounded-full bg-hover"
      >
        <div
          className={cx('h-full rounded-full', isNearlyFull ? 'bg-danger-strong' : 'bg-accent')}
          style={{ width: `${100 * share}%` }}
        />
      </div>
      {isNearlyFull && (
        <p className="text-note text-danger">
          {share >= 1 ? 'Nothing more can be uploaded.' : 'Nearly full.'} Delete files that nobody
          needs, or ask whoever runs the server for more.
        </p>
      )}
    </div>
  );
}
