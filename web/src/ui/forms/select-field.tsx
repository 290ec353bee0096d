import { Picker, type PickerProps } from '../pickers/picker.tsx';
import type { PickerOption } from '../pickers/picker-option.ts';
import { Field, splitField, type FieldOptions } from './field.tsx';

interface SelectFieldProps<Value extends string>
  extends FieldOptions, Omit<PickerProps<Value>, 'label' | 'look' | 'control' | 'empty'> {
  /** What the choice without a value is called. */
  empty?: string;
}

/** One of several, in a form: a picker with its label, hint and error. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { field, control } = splitField(props);
  const { empty, options, value, ...rest } = control;
  const all: readonly PickerOption<Value>[] =
    empty === undefined ? options : [{ value: '' as Value, name: empty }, ...options];
  // Something that was typed is among the options only once others have it too.
  const known = value === '' ? undefined : { value, name: value };
  return (
    <Field {...field}>
      {(wiring) => (
        <Picker
          {...{ known, value, ...rest }}
          label={field.label}
          options={all}
          look="field"
          control={wiring}
        />
      )}
    </Field>
  );
}
