import { CircleCheck, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../../ui/text/cx.ts';
import { toSentence } from '../../ui/text/sentence.ts';

/** How the test of a connection ended. */
export function TestBox({ isOk, children }: { isOk: boolean; children: ReactNode }) {
  const Icon = isOk ? CircleCheck : CircleX;
  return (
    <div
      className={cx(
        'flex items-start gap-3 rounded-md border p-3 text-sm',
        isOk ? 'border-good bg-good-soft' : 'border-danger bg-danger-soft',
      )}
    >
      <Icon
        aria-hidden
        className={cx('mt-0.5 size-4 shrink-0', isOk ? 'text-good' : 'text-danger')}
      />
      {children}
    </div>
  );
}

interface TestFailureProps {
  /** What each code means. */
  titles: Record<string, string>;
  error: { code: string; message: string };
}

export function TestFailure({ titles, error: { code, message } }: TestFailureProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="font-medium">{titles[code] ?? 'Test failed.'}</p>
      <p className="wrap-anywhere">
        {toSentence(message)} <code className="text-xs">({code})</code>
      </p>
    </div>
  );
}
