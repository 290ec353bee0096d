import { useId, type ComponentProps, type ReactNode } from 'react';
import { cx } from './cx.ts';

export const CONTROL =
  'w-full rounded-md border border-edge bg-surface px-3 text-ink placeholder:text-muted disabled:opacity-60 aria-invalid:border-danger';

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
interface ControlProps {
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

type FieldOptions = Omit<FieldProps, 'children' | 'className'> & { fieldClassName?: string };

export function TextField({
  label,
  hint,
  error,
  isLabelHidden = false,
  fieldClassName = '',
  className,
  ...rest
}: FieldOptions & ComponentProps<'input'>) {
  return (
    <Field {...{ label, hint, error, isLabelHidden }} className={fieldClassName}>
      {(control) => (
        <input {...control} className={cx(CONTROL, 'min-h-10 sm:min-h-9', className)} {...rest} />
      )}
    </Field>
  );
}

export function TextAreaField({
  label,
  hint,
  error,
  isLabelHidden = false,
  fieldClassName = '',
  className,
  ...rest
}: FieldOptions & ComponentProps<'textarea'>) {
  return (
    <Field {...{ label, hint, error, isLabelHidden }} className={fieldClassName}>
      {(control) => (
        <textarea {...control} rows={4} className={cx(CONTROL, 'py-2', className)} {...rest} />
      )}
    </Field>
  );
}

/** The native select, which works with every keyboard, screen reader and phone. */
export function SelectField({
  label,
  hint,
  error,
  isLabelHidden = false,
  fieldClassName = '',
  className,
  children,
  ...rest
}: FieldOptions & ComponentProps<'select'>) {
  return (
    <Field {...{ label, hint, error, isLabelHidden }} className={fieldClassName}>
      {(control) => (
        <select {...control} className={cx(CONTROL, 'min-h-10 sm:min-h-9', className)} {...rest}>
          {children}
        </select>
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
          <p id={`${id}-hint`} className="text-note text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
