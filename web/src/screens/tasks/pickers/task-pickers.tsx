import type { Task } from '@atrium/sdk';
import { CalendarDays, Tag } from 'lucide-react';
import type { ReactNode } from 'react';
import { countCharacters } from '../../../ui/text/count-characters.ts';
import { cx } from '../../../ui/text/cx.ts';
import { DayPicker } from '../../../ui/pickers/day-picker.tsx';
import type { PickerLook } from '../../../ui/pickers/picker-button.tsx';
import type { PickerOption } from '../../../ui/pickers/picker-option.ts';
import { MultiPicker, Picker } from '../../../ui/pickers/picker.tsx';
import type { Status } from '../statuses.ts';
import { dueInWords, isOverdue, type Priority } from '../task-words.ts';
import {
  PRIORITY_OPTIONS,
  STATUS_OPTIONS,
  useAssigneeOptions,
  useKnownAssignee,
  useLabelOptions,
} from './options.tsx';

/** The pickers of a task's properties. `open`, `onOpenChange` and `shortcut` come from `usePickerKeys`. */

interface TaskPickerProps<Value> {
  value: Value;
  onChange: (value: Value) => void;
  look?: PickerLook | undefined;
  className?: string | undefined;
  disabled?: boolean | undefined;
  shortcut?: string | undefined;
  align?: 'start' | 'end' | undefined;
  /** What the button shows in the place of the words. */
  children?: ReactNode;
  open?: boolean | undefined;
  onOpenChange?: ((isOpen: boolean) => void) | undefined;
}

type OnePickerProps<Value> = TaskPickerProps<Value> & {
  /** Shown if the value is not among the options. */
  known?: PickerOption | undefined;
};

export function StatusPicker(props: OnePickerProps<Status>) {
  return <Picker label="Status" options={STATUS_OPTIONS} isNumbered {...props} />;
}

export function PriorityPicker(props: OnePickerProps<Priority>) {
  return <Picker label="Priority" options={PRIORITY_OPTIONS} empty="NONE" isNumbered {...props} />;
}

/** A person's id, an agent's `@slug`, or empty (`assignees.ts`). */
export function AssigneePicker({
  projectId,
  ...props
}: OnePickerProps<string> & { projectId: string }) {
  const options = useAssigneeOptions(projectId);
  const assigned = useKnownAssignee(props.value);
  const known = props.known ?? assigned;
  return (
    <Picker label="Assignee" placeholder="Assign to…" options={options} {...props} known={known} />
  );
}

const MOST_LABELS = 20;
const LONGEST_LABEL = 50;

export function LabelsPicker({
  projectId,
  value,
  ...props
}: TaskPickerProps<string[]> & { projectId: string }) {
  const options = useLabelOptions(projectId, value);
  return (
    <MultiPicker
      label="Labels"
      placeholder="Find or add a label…"
      empty="No labels"
      icon={props.children === undefined ? <Tag className="size-4 text-muted" /> : undefined}
      options={options}
      values={value}
      onCheck={(text) => {
        if (countCharacters(text) > LONGEST_LABEL) {
          return `A label can have at most ${LONGEST_LABEL} characters.`;
        }
        return value.length >= MOST_LABELS
          ? `At most ${MOST_LABELS} labels are possible.`
          : undefined;
      }}
      {...props}
    />
  );
}

export function DuePicker({
  status,
  ...props
}: TaskPickerProps<string | null> & Partial<Pick<Task, 'status'>>) {
  const isLate = isOverdue({ dueOn: props.value, status: status ?? 'TODO' });
  return (
    <DayPicker
      label="Due date"
      empty="No due date"
      inWords={(day) => (isLate ? `Overdue, ${dueInWords(day)}` : capitalised(dueInWords(day)))}
      icon={<CalendarDays className={cx('size-4', isLate ? 'text-danger' : 'text-muted')} />}
      {...props}
    />
  );
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
