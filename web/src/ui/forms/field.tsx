import { useId, type ComponentProps, type ReactNode } from 'react';
import { cx } from '../text/cx.ts';

export const CONTROL =
  'w-full rounded-md border border-edge bg-surface px-3 text-ink placeholder:text-muted disabled:opacity-60 aria-invalid:border-danger';
const LINE = `${CONTROL} min-h-10 sm:min-h-9`;

interface FieldProps {
  label: string;
  /** Help shown below the label. */
  hint?: ReactNode;
  /** What is wrong, or undefined. */
  error?: string | undefined;
  /** Keeps the label for screen readers only, as for a search box with an icon. */
  isLabelHidden?: boolean;
  className?: string;
  children: (control: ControlProps) => ReactNode;
}

/** Connects a control to its label, hint and error. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

export function Field({ label, hint, error, isLabelHidden, className, children }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={cx('flex flex-col gap-1', className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      {hint && (
        <div id={`${id}-hint`} className="text-note text-muted">
          {hint}
        </div>
      )}
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error && (
        <p id={`${id}-error`} className="text-note text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

export type FieldOptions = Omit<FieldProps, 'children' | 'className'> & { fieldClassName?: string };

/** Tells what is for the field from what is for its control. */
export function splitField<Props extends FieldOptions>(props: Props) {
  const { label, hint, error, isLabelHidden = false, fieldClassName = '', ...control } = props;
  return { field: { label, hint, error, isLabelHidden, className: fieldClassName }, control };
}

export function TextField(props: FieldOptions & ComponentProps<'input'>) {
  const { field, control } = splitField(props);
  return (
    <Field {...field}>
      {(wiring) => <input {...wiring} {...control} className={cx(LINE, props.className)} />}
    </Field>
  );
}

export function TextAreaField(props: FieldOptions & ComponentProps<'textarea'>) {
  const { field, control } = splitField(props);
  return (
    <Field {...field}>
      {(wiring) => (
        <textarea
          {...wiring}
          rows={4}
          {...control}
          className={cx(CONTROL, 'py-2', props.className)}
        />
      )}
    </Field>
  );
}

export function CheckboxField({
  label,
  hint,
  className,
  ...rest
}: { label: string; hint?: string } & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className={cx('flex items-start gap-2', className)}>
      <input
        id={id}
        type="checkbox"
        aria-describedby={hint && `${id}-hint`}
        className="mt-1 size-4 shrink-0 accent-accent-strong"
        {...rest}
      />
      <div className="min-w-0">
        <label htmlFor={id} className="text-sm wrap-anywhere">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-note text-muted wrap-anywhere">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

/** One of several, with what it means. They share a `name`. */
export function RadioField({ className, ...rest }: ComponentProps<typeof CheckboxField>) {
  return (
    <CheckboxField type="radio" className={cx('[&_label]:font-medium', className)} {...rest} />
  );
}
