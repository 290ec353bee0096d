import type { LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from '../text/cx.ts';
import { usePortalContainer } from '../layers/modal.ts';

/** A menu of actions. Not modal, because that mode injects styles, which the page's policy forbids. */
export function Menu({
  trigger,
  children,
  align = 'end',
  ...opening
}: {
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'end';
  /** Set both or neither. For a menu that something else can open too. */
  open?: boolean;
  onOpenChange?(isOpen: boolean): void;
}) {
  const container = usePortalContainer();
  return (
    <DropdownMenu.Root modal={false} {...opening}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-40 max-h-[70dvh] max-w-[min(20rem,90vw)] min-w-44 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-xl"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
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
  return (
    <DropdownMenu.Item
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
    </DropdownMenu.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Label className="px-2 py-1 text-xs text-muted">{children}</DropdownMenu.Label>
  );
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}
