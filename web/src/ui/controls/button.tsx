import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from '../text/cx.ts';
import { Spinner } from '../states/spinner.tsx';

const BASE =
  'inline-flex items-center justify-center gap-2 rounded-md text-sm font-medium whitespace-nowrap transition-colors disabled:opacity-60';

const LOOK = {
  primary: 'bg-accent-strong text-on-accent hover:brightness-110',
  plain: 'border border-edge bg-surface text-ink hover:bg-hover',
  quiet: 'text-ink hover:bg-hover',
  'quiet-danger': 'text-danger hover:bg-hover',
  danger: 'bg-danger-strong text-white hover:brightness-110',
} as const;

export type ButtonLook = keyof typeof LOOK;

/** 40 px high on touch screens, at least 24 px elsewhere. */
const SIZE = { medium: 'min-h-10 px-4 sm:min-h-9', small: 'min-h-8 px-2.5 text-note' } as const;

export interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonLook;
  size?: keyof typeof SIZE;
  /** Before the label. */
  icon?: LucideIcon;
  /** Shows a spinner in the icon's place and ignores clicks. */
  isBusy?: boolean;
}

export function Button({
  look = 'plain',
  size = 'medium',
  icon: Icon,
  isBusy = false,
  type = 'button',
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={cx(BASE, LOOK[look], SIZE[size], className)}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy || undefined}
      {...rest}
    >
      {isBusy ? <Spinner /> : Icon && <Icon aria-hidden className="size-4" />}
      {children}
    </button>
  );
}

/** Makes a link look like a button. */
export function buttonClass(
  look: ButtonLook = 'plain',
  size: keyof typeof SIZE = 'medium',
): string {
  return cx(BASE, LOOK[look], SIZE[size]);
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** What it does. Read aloud, and shown on hover and focus. */
  label: string;
  icon: LucideIcon;
  iconClass?: string;
  look?: ButtonLook;
}

export function IconButton({
  label,
  icon: Icon,
  iconClass = 'size-4',
  look = 'quiet',
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      data-tooltip={label}
      className={cx(BASE, LOOK[look], 'size-9 shrink-0 sm:size-8', className)}
      {...rest}
    >
      <Icon aria-hidden className={iconClass} />
    </button>
  );
}
