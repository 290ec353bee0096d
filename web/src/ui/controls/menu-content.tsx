import { Menu } from 'radix-ui/internal';
import { useRef, type ReactNode, type RefObject } from 'react';
import { usePortalContainer } from '../layers/modal.ts';
import { MenuParts } from './menu-parts.ts';

export interface MenuContentProps {
  anchor: RefObject<HTMLElement | null>;
  /** The id of the button. */
  labelledBy: string;
  align: 'start' | 'end';
  children: ReactNode;
  onClose: () => void;
}

/** What is open. Not modal, because that mode injects styles, which the page's policy forbids. */
export function MenuContent({ anchor, labelledBy, align, children, onClose }: MenuContentProps) {
  const container = usePortalContainer();
  const isLeft = useRef(false);
  return (
    <MenuParts value={Menu}>
      <Menu.Root open modal={false} onOpenChange={onClose}>
        <Menu.Anchor virtualRef={anchor} />
        <Menu.Portal container={container}>
          <Menu.Content
            aria-labelledby={labelledBy}
            align={align}
            sideOffset={4}
            collisionPadding={8}
            onInteractOutside={() => (isLeft.current = true)}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              if (!isLeft.current) anchor.current?.focus();
            }}
            className="z-40 max-h-[70dvh] max-w-[min(20rem,90vw)] min-w-44 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-xl"
          >
            {children}
          </Menu.Content>
        </Menu.Portal>
      </Menu.Root>
    </MenuParts>
  );
}
