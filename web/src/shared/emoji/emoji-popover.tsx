import { Popover } from 'radix-ui';
import type { RefObject } from 'react';
import { usePortalContainer } from '../../ui/layers/modal.ts';
import { EmojiPicker } from './picker.tsx';

interface EmojiPopoverProps {
  /** The button that opened it. */
  anchor: RefObject<HTMLElement | null>;
  label: string;
  align?: 'start' | 'end';
  /** What the person has chosen already. */
  chosen?: ReadonlySet<string>;
  onChoose: (text: string) => void;
  onClose: () => void;
  /** Takes focus after it is closed, instead of what had it before. */
  focusAfter?: () => void;
}

/** The picker beside its button, while it is open. */
export function EmojiPopover(props: EmojiPopoverProps) {
  const { anchor, label, align = 'end', chosen, onChoose, onClose, focusAfter } = props;
  const container = usePortalContainer();
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal container={container}>
        <Popover.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-40 h-[min(26rem,70dvh)] w-[min(23rem,calc(100vw-1rem))] rounded-lg border border-line bg-raised shadow-xl transition-opacity duration-150 outline-none motion-reduce:transition-none starting:opacity-0"
          onInteractOutside={(event) => {
            // The button closes it itself. Otherwise it would open again at once.
            if (anchor.current?.contains(event.target as Node)) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            if (!focusAfter) return;
            event.preventDefault();
            focusAfter();
          }}
        >
          <EmojiPicker
            {...(chosen && { chosen })}
            onChoose={(text) => {
              onClose();
              onChoose(text);
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
