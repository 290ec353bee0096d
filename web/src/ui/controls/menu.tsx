import { Check, type LucideIcon } from 'lucide-react';
import {
  cloneElement,
  startTransition,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import { closablePart } from '../layers/part-boundary.tsx';
import { cx } from '../text/cx.ts';
import { useMenuParts } from './menu-parts.ts';

const MenuContent = closablePart(() => import('./menu-content.tsx'), 'MenuContent');

interface MenuProps {
  /** A button. */
  trigger: ReactElement<ComponentProps<'button'>>;
  children: ReactNode;
  align?: 'start' | 'end';
  /** Set both or neither. For a menu that something else can open too. */
  open?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}

/** A menu of actions. */
export function Menu({ trigger, children, align = 'end', open, onOpenChange }: MenuProps) {
  const [isOpenHere, setOpenHere] = useState(false);
  const isOpen = open ?? isOpenHere;
  const setOpen = onOpenChange ?? setOpenHere;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      {cloneElement(trigger, {
        id,
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        onPointerEnter: () => void MenuContent.preload(),
        onFocus: () => void MenuContent.preload(),
        onPointerDown(event: PointerEvent) {
          if (event.button !== 0 || event.ctrlKey) return;
          // The button is painted pressed first. Keys could be lost meanwhile, so they open it at once.
          startTransition(() => setOpen(!isOpen));
          // Focus goes to the menu.
          if (!isOpen) event.preventDefault();
        },
        onKeyDown(event: KeyboardEvent) {
          if (event.key !== 'Enter' && event.key !== ' ' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(event.key === 'ArrowDown' || !isOpen);
        },
      })}
      {isOpen && (
        <MenuContent anchor={button} labelledBy={id} align={align} onClose={() => setOpen(false)}>
          {children}
        </MenuContent>
      )}
    </>
  );
}

interface MenuItemProps {
  icon?: LucideIcon;
  children: ReactNode;
  tone?: 'plain' | 'danger';
  disabled?: boolean;
  onSelect: () => void;
}

export function MenuItem({
  icon: Icon,
  children,
  tone = 'plain',
  disabled = false,
  onSelect,
}: MenuItemProps) {
  const { Item } = useMenuParts();
  return (
    <Item
      disabled={disabled}
      onSelect={onSelect}
      className={cx(
        'flex min-h-9 cursor-pointer items-center gap-2 rounded-md px-2 text-sm wrap-anywhere outline-none data-disabled:cursor-not-allowed data-disabled:opacity-60 data-highlighted:bg-hover',
        tone === 'danger' && 'text-danger',
      )}
    >
      {Icon && (
        <Icon aria-hidden className={cx('size-4 shrink-0', tone === 'plain' && 'text-muted')} />
      )}
      {children}
    </Item>
  );
}

interface MenuRadiosProps<Value extends string> {
  label: string;
  options: Record<Value, string>;
  value: Value;
  onChange: (value: Value) => void;
  /** So that people can compare. */
  staysOpen?: boolean;
}

/** One of a few values, with a check mark at the current one. */
export function MenuRadios<Value extends string>(props: MenuRadiosProps<Value>) {
  const { label, options, value, onChange, staysOpen = false } = props;
  const { RadioGroup, RadioItem, ItemIndicator } = useMenuParts();
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(chosen) => onChange(chosen as Value)}
    >
      <MenuLabel>{label}</MenuLabel>
      {Object.entries<string>(options).map(([option, text]) => (
        <RadioItem
          key={option}
          value={option}
          onSelect={(event: Event) => staysOpen && event.preventDefault()}
          className="flex min-h-9 cursor-pointer items-center gap-2 rounded-md px-2 text-sm outline-none data-highlighted:bg-hover"
        >
          <span className="flex size-4 shrink-0 items-center">
            <ItemIndicator>
              <Check aria-hidden className="size-4 text-accent" />
            </ItemIndicator>
          </span>
          {text}
        </RadioItem>
      ))}
    </RadioGroup>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  const { Label } = useMenuParts();
  return <Label className="px-2 py-1 text-xs text-muted">{children}</Label>;
}

export function MenuSeparator() {
  const { Separator } = useMenuParts();
  return <Separator className="my-1 h-px bg-line" />;
}
