import { DayPicker, type DayPickerProps } from '../pickers/day-picker.tsx';
import { Field, splitField, type FieldOptions } from './field.tsx';

interface DayFieldProps
  extends FieldOptions, Pick<DayPickerProps, 'min' | 'max' | 'isPast' | 'disabled'> {
  /** As `2027-01-31`, or `''` if there is none. */
  value: string;
  /** What no day is called, if there may be none. */
  empty?: string;
  onChange: (day: string) => void;
}

/** A day in a form: a day picker with its label, hint and error. */
export function DayField(props: DayFieldProps) {
  const { field, control } = splitField(props);
  const { value, empty = '', onChange, ...rest } = control;
  return (
    <Field {...field}>
      {(wiring) => (
        <DayPicker
          {...rest}
          label={field.label}
          value={value || null}
          empty={empty}
          look="field"
          control={wiring}
          onChange={(day) => onChange(day ?? '')}
        />
      )}
    </Field>
  );
}
