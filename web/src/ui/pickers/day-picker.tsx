import { CalendarDays } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ControlProps } from '../forms/field.tsx';
import { closablePart } from '../layers/part-boundary.tsx';
import { dayInWords } from '../text/days.ts';
import { PickerButton, type PickerLook } from './picker-button.tsx';
import { useOpening } from './picker.tsx';

const DayList = closablePart(() => import('./day-list.tsx'), 'DayList');

export interface DayPickerProps {
  label: string;
  /** As `2027-01-31`. */
  value: string | null;
  onChange: (day: string | null) => void;
  /** What the button says without a day. */
  empty: string;
  /** What the choice of no day is called. */
  clear?: string | undefined;
  inWords?: ((day: string) => string) | undefined;
  /** The first and the last day that can be chosen. */
  min?: string | undefined;
  max?: string | undefined;
  /** Days are looked back at: suggests those that were. */
  isPast?: boolean | undefined;
  icon?: ReactNode;
  look?: PickerLook | undefined;
  className?: string | undefined;
  /** From a `Field` around it: its id, and what describes it. */
  control?: ControlProps | undefined;
  disabled?: boolean | undefined;
  shortcut?: string | undefined;
  align?: 'start' | 'end' | undefined;
  open?: boolean | undefined;
  onOpenChange?: ((isOpen: boolean) => void) | undefined;
  /** What the button shows in the place of the day. */
  children?: ReactNode;
}

/** A day: typed in words, one of those that people choose most, or from a calendar. In place of a date field. */
export function DayPicker(props: DayPickerProps) {
  const { label, value, onChange, empty, clear, inWords = dayInWords, align } = props;
  const { icon = <CalendarDays className="size-4 text-muted" />, look, className } = props;
  const { disabled, shortcut, children, min, max, isPast, control } = props;
  const opening = useOpening(props, DayList.preload);
  return (
    <>
      <PickerButton
        {...opening.button}
        {...{ label, icon, look, className, disabled, shortcut, children }}
        {...control}
        chosen={value ? inWords(value) : empty}
        isEmpty={value === null}
      />
      {opening.isOpen && (
        <DayList
          {...{ label, value, align, min, max, isPast }}
          typed={opening.typed}
          clear={clear ?? empty}
          anchor={opening.anchor}
          onClose={opening.close}
          onChoose={(day) => {
            opening.close();
            if (day !== value) onChange(day);
          }}
        />
      )}
    </>
  );
}
