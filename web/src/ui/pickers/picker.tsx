import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { ControlProps } from '../forms/field.tsx';
import { closablePart } from '../layers/part-boundary.tsx';
import { PickerButton, type PickerLook } from './picker-button.tsx';
import type { PickerOption } from './picker-option.ts';

const PickerList = closablePart(() => import('./picker-list.tsx'), 'PickerList');

interface CommonProps<Value extends string> {
  /** What is chosen here: "Status". Names the button and the list. */
  label: string;
  options: readonly PickerOption<Value>[];
  look?: PickerLook | undefined;
  className?: string | undefined;
  /** From a `Field` around it: its id, and what describes it. */
  control?: ControlProps | undefined;
  disabled?: boolean | undefined;
  /** The key that opens it on this page, to tell people. Whoever listens for it sets `open`. */
  shortcut?: string | undefined;
  /** Shown in the empty search field. */
  placeholder?: string | undefined;
  align?: 'start' | 'end' | undefined;
  /** Set both or neither. For a picker that a key can open too. */
  open?: boolean | undefined;
  onOpenChange?: ((isOpen: boolean) => void) | undefined;
  /** What the button shows in the place of the chosen names. */
  children?: ReactNode;
}

export interface PickerProps<Value extends string> extends CommonProps<Value> {
  value: Value;
  onChange: (value: Value) => void;
  /** The value that means that nothing is chosen. */
  empty?: Value | '' | undefined;
  /** A digit chooses one, as long as nothing is typed. */
  isNumbered?: boolean | undefined;
  /** Lets people add what they typed. Returns why it can't be added. */
  onCheck?: ((text: string) => string | undefined) | undefined;
  /** Shown if the value is not, or not yet, among the options. */
  known?: PickerOption | undefined;
}

/** One of several values: a button, and a list with a search. In place of a select. */
export function Picker<Value extends string>(props: PickerProps<Value>) {
  const { label, options, value, onChange, empty = '', known, isNumbered } = props;
  const { placeholder, align, onCheck } = props;
  const opening = useOpening(props, PickerList.preload);
  const chosen = options.find((option) => option.value === value) ?? known;
  return (
    <>
      <PickerButton
        {...opening.button}
        {...buttonProps(props)}
        chosen={chosen?.name ?? ''}
        icon={chosen?.icon}
        isEmpty={value === empty}
      />
      {opening.isOpen && (
        <PickerList
          {...{ label, options, isNumbered, placeholder, align, onCheck }}
          typed={opening.typed}
          anchor={opening.anchor}
          chosen={[value]}
          onClose={opening.close}
          onChoose={(next) => {
            opening.close();
            if (next !== value) onChange(next as Value);
          }}
        />
      )}
    </>
  );
}

export interface MultiPickerProps extends CommonProps<string> {
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** What the button says if nothing is chosen. */
  empty: string;
  icon?: ReactNode;
  /** Lets people add what they typed. Returns why it can't be added. */
  onCheck?: ((text: string) => string | undefined) | undefined;
}

/** Several values. The list stays open until people leave it. */
export function MultiPicker(props: MultiPickerProps) {
  const { label, options, values, onChange, empty, icon, placeholder, align, onCheck } = props;
  const opening = useOpening(props, PickerList.preload);
  const names = values.map((value) => options.find((one) => one.value === value)?.name ?? value);
  return (
    <>
      <PickerButton
        {...opening.button}
        {...buttonProps(props)}
        chosen={names.join(', ') || empty}
        icon={icon}
        isEmpty={values.length === 0}
      />
      {opening.isOpen && (
        <PickerList
          {...{ label, options, placeholder, align, onCheck }}
          isMultiple
          anchor={opening.anchor}
          chosen={values}
          onClose={opening.close}
          onChoose={(value) =>
            onChange(
              values.includes(value) ? values.filter((one) => one !== value) : [...values, value],
            )
          }
        />
      )}
    </>
  );
}

function buttonProps(props: CommonProps<string>) {
  const { label, look, className, disabled, shortcut, children, control } = props;
  return { label, look, className, disabled, shortcut, children, ...control };
}

type OpeningProps = Pick<CommonProps<string>, 'open' | 'onOpenChange' | 'look'>;

/** Whether what a picker's button opens is open. Its code is loaded as soon as somebody may need it. */
export function useOpening(
  { open, onOpenChange, look }: OpeningProps,
  preload: () => Promise<void>,
) {
  const [isOpenHere, setOpenHere] = useState(false);
  const isOpen = open ?? isOpenHere;
  const setOpen = onOpenChange ?? setOpenHere;
  // In a form, letters search at once, as they do in a select. Elsewhere they are keys of the page.
  const [typed, setTyped] = useState('');
  const anchor = useRef<HTMLButtonElement>(null);
  const button = {
    ref: anchor,
    isOpen,
    onPointerEnter: () => void preload(),
    onFocus: () => void preload(),
    onClick() {
      setTyped('');
      setOpen(!isOpen);
    },
    onKeyDown(event: KeyboardEvent) {
      const letter = look === 'field' ? letterOf(event) : '';
      if (isOpen || (event.key !== 'ArrowDown' && letter === '')) return;
      event.preventDefault();
      event.stopPropagation();
      setTyped(letter);
      setOpen(true);
    },
  };
  return { isOpen, anchor, button, typed, close: () => setOpen(false) };
}

function letterOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  return key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey ? key : '';
}
