import { Popover } from 'radix-ui';
import { useRef, type ReactNode, type RefObject } from 'react';
import { isTouch } from '../keys/is-touch.ts';
import { usePortalContainer } from '../layers/modal.ts';

interface PickerPopoverProps {
  /** The button that opened it, which gets focus back. */
  anchor: RefObject<HTMLElement | null>;
  label: string;
  align?: 'start' | 'end' | undefined;
  children: ReactNode;
  onClose: () => void;
}

/** What every picker opens, beside its button. */
export function PickerPopover({ anchor, label, align, children, onClose }: PickerPopoverProps) {
  const container = usePortalContainer();
  const box = useRef<HTMLDivElement>(null);
  const isLeft = useRef(false);
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal container={container}>
        <Popover.Content
          ref={box}
          data-picker
          aria-label={label}
          align={align ?? 'start'}
          sideOffset={4}
          collisionPadding={8}
          className="z-40 flex max-h-[min(34rem,var(--radix-popover-content-available-height))] w-[clamp(16rem,var(--radix-popper-anchor-width),26rem)] max-w-[calc(100vw-1rem)] flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-xl outline-none transition-opacity duration-150 motion-reduce:transition-none starting:opacity-0"
          onOpenAutoFocus={(event) => {
            // On a touch screen, the keyboard would cover what there is to choose from.
            if (!isTouch()) return;
            event.preventDefault();
            box.current?.focus();
          }}
          onInteractOutside={(event) => {
            // The button closes it itself. Otherwise it would open again at once.
            if (anchor.current?.contains(event.target as Node)) event.preventDefault();
            else isLeft.current = true;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // It comes a moment later. A key may have opened the next picker, which would lose focus and close.
            const isFree = document.activeElement === document.body;
            if (!isLeft.current && isFree) anchor.current?.focus();
          }}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
