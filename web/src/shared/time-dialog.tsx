import { useState, type ReactNode } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { DayField } from '../ui/forms/day-field.tsx';
import { FormDialog, type Saving } from '../ui/forms/form.tsx';
import { dayOf } from '../ui/text/days.ts';
import { ClockField } from './clock-field.tsx';
import { clockOf } from './clock.ts';
import { inWords, timeChoices } from './time-choices.ts';

interface TimeDialogProps {
  title: string;
  description?: string;
  /** The button's label, for the time in the field. */
  action: string;
  saving: Saving;
  /** The time that it has now. */
  at?: Date;
  isDisabled?: boolean;
  /** Fields above the times. */
  children?: ReactNode;
  onChoose: (at: Date) => void;
  onClose: () => void;
}

/** Asks for a time: one of those that people choose most, or any other. */
export function TimeDialog(props: TimeDialogProps) {
  const { saving, isDisabled = false, onChoose } = props;
  const [now] = useState(() => new Date());
  const choices = timeChoices(now);
  const [other, setOther] = useState(
    () => props.at ?? choices.find(({ label }) => label === 'Tomorrow at 9')?.at ?? now,
  );
  const isPast = other.getTime() <= Date.now();
  const { title, description, action, onClose } = props;
  return (
    <FormDialog
      {...{ title, description, action, saving, onClose }}
      isDisabled={isDisabled || isPast}
      onSubmit={() => onChoose(other)}
    >
      {props.children}
      <ul className="flex flex-col gap-1" aria-label="Suggested times">
        {choices.map(({ label, at }, nth) => (
          <li key={label}>
            <Button
              data-autofocus={(nth === 0 && props.children === undefined) || undefined}
              className="w-full justify-between!"
              disabled={isDisabled || saving.isPending}
              onClick={() => onChoose(at)}
            >
              {label}
              <span className="font-normal text-muted">{inWords(at)}</span>
            </Button>
          </li>
        ))}
      </ul>
      <fieldset className="grid grid-cols-[3fr_2fr] gap-3">
        <legend className="mb-1 text-sm font-medium">Another time</legend>
        <DayField
          label="Day"
          isLabelHidden
          value={dayOf(other)}
          min={dayOf(now)}
          onChange={(day) => setOther(at(day, clockOf(other)))}
        />
        <ClockField
          label="Time"
          isLabelHidden
          value={clockOf(other)}
          onChange={(clock) => setOther(at(dayOf(other), clock))}
        />
        {isPast && (
          <p role="alert" className="col-span-2 text-note text-danger">
            Choose a time in the future.
          </p>
        )}
      </fieldset>
    </FormDialog>
  );
}

function at(day: string, clock: string): Date {
  return new Date(`${day}T${clock}`);
}
