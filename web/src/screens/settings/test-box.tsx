import { CircleCheck, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../../ui/text/cx.ts';
import { toSentence } from '../../ui/text/sentence.ts';

interface TestBoxProps {
  result: { ok: true } | { ok: false; error: { code: string; message: string } };
  /** What each code means. */
  titles: Record<string, string>;
  /** Said if it works. */
  children: ReactNode;
}

/** How the test of a connection ended. */
export function TestBox({ result, titles, children }: TestBoxProps) {
  const Icon = result.ok ? CircleCheck : CircleX;
  return (
    <div
      className={cx(
        'flex items-start gap-3 rounded-md border p-3 text-sm',
        result.ok ? 'border-good bg-good-soft' : 'border-danger bg-danger-soft',
      )}
    >
      <Icon
        aria-hidden
        className={cx('mt-0.5 size-4 shrink-0', result.ok ? 'text-good' : 'text-danger')}
      />
      {result.ok ? (
        children
      ) : (
        <div className="flex min-w-0 flex-col gap-1">
          <p className="font-medium">{titles[result.error.code] ?? 'Test failed.'}</p>
          <p className="wrap-anywhere">
            {toSentence(result.error.message)}{' '}
            <code className="text-xs">({result.error.code})</code>
          </p>
        </div>
      )}
    </div>
  );
}
