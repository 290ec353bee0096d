import { SelectField } from '../ui/forms/select-field.tsx';
import { clockAt, clockInWords, parseClock } from './clock.ts';

interface ClockFieldProps {
  label: string;
  isLabelHidden?: boolean;
  /** As `09:30`. */
  value: string;
  onChange: (clock: string) => void;
}

const STEP_MINUTES = 30;
const STEPS = Array.from({ length: (24 * 60) / STEP_MINUTES }, (_, nth) =>
  clockAt(Math.floor((nth * STEP_MINUTES) / 60), (nth * STEP_MINUTES) % 60),
);

/** A time of the day: each half hour, or any that is typed. */
export function ClockField({ value, onChange, ...rest }: ClockFieldProps) {
  const clocks = STEPS.includes(value) ? STEPS : [...STEPS, value].toSorted();
  return (
    <SelectField
      {...rest}
      value={value}
      options={clocks.map((clock) => ({ value: clock, name: clockInWords(clock) }))}
      onCheck={(typed) => (parseClock(typed) ? undefined : 'Type a time, such as 9:30 or 2 pm.')}
      onChange={(chosen) => onChange(parseClock(chosen) ?? chosen)}
    />
  );
}
