import { ChevronsUpDown } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../text/cx.ts';

const LOOK = {
  /** In a column of properties. */
  row: 'min-h-8 w-full rounded-md px-2 hover:bg-hover',
  /** In a line with others. */
  chip: 'min-h-8 max-w-full rounded-md border border-line px-2.5 hover:bg-hover',
  /** In a form, below its label. */
  field:
    'min-h-10 w-full rounded-md border border-edge bg-surface px-3 disabled:opacity-60 aria-invalid:border-danger sm:min-h-9',
  /** Only the icon, such as in a row of a list. */
  icon: 'size-7 justify-center rounded-md hover:bg-hover',
};

export type PickerLook = keyof typeof LOOK;

export interface PickerButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  label: string;
  /** What is chosen, in words. */
  chosen: string;
  look?: PickerLook | undefined;
  icon?: ReactNode;
  /** The key that opens it on this page, such as `S`. */
  shortcut?: string | undefined;
  isOpen: boolean;
  /** Nothing is chosen yet. */
  isEmpty?: boolean | undefined;
  /** In the place of the words. */
  children?: ReactNode;
}

/** Shows what is chosen, and opens what there is to choose from. */
export function PickerButton(props: PickerButtonProps) {
  const { label, chosen, look = 'row', icon, shortcut, isOpen, isEmpty, children, ...rest } = props;
  // A field has its label above it.
  const tooltip = look === 'icon' ? `${label}: ${chosen}` : `Change ${lower(label)}`;
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-label={`${label}: ${chosen}`}
      aria-keyshortcuts={shortcut}
      data-tooltip={look === 'field' ? undefined : shortcut ? `${tooltip} (${shortcut})` : tooltip}
      {...rest}
      className={cx(
        'inline-flex min-w-0 items-center gap-2 text-left text-sm transition-colors aria-expanded:bg-hover disabled:cursor-not-allowed disabled:hover:bg-transparent',
        LOOK[look],
        rest.className,
      )}
    >
      {icon !== undefined && (
        <span aria-hidden className="inline-flex shrink-0 items-center">
          {icon}
        </span>
      )}
      {look !== 'icon' &&
        (children ?? (
          <span dir="auto" className={cx('min-w-0 truncate', isEmpty && 'text-muted')}>
            {chosen}
          </span>
        ))}
      {look === 'field' && (
        <ChevronsUpDown aria-hidden className="ms-auto size-4 shrink-0 text-muted" />
      )}
    </button>
  );
}

function lower(label: string): string {
  return label.charAt(0).toLowerCase() + label.slice(1);
}
