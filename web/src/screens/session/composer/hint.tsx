import { cx } from '../../../ui/text/cx.ts';
import { LONGEST_BODY } from './body.ts';

interface HintProps {
  id: string;
  /** Something that matters more right now, such as who is typing. */
  note: string | undefined;
  isInCode: boolean;
  count: number | undefined;
}

const USUAL = 'Enter to send, Shift+Enter for a new line';
const IN_CODE = 'Enter for a new line, Ctrl+Enter or ⌘Enter to send';

/** One line that is always there if there is room, so that nothing moves when its text changes. */
export function Hint({ id, note, isInCode, count }: HintProps) {
  const isTooLong = count !== undefined && count > LONGEST_BODY;
  return (
    <div id={id} className="flex justify-between gap-3 px-1 text-xs text-muted sm:min-h-5">
      <p className={cx('min-w-0 wrap-anywhere', !note && 'max-sm:sr-only')}>
        {note ?? (isInCode ? IN_CODE : USUAL)}
      </p>
      {count !== undefined && (
        <p className={cx('shrink-0 tabular-nums', isTooLong && 'font-medium text-danger')}>
          {count.toLocaleString()} of {LONGEST_BODY.toLocaleString()} characters
          {isTooLong && ': too long'}
        </p>
      )}
    </div>
  );
}
