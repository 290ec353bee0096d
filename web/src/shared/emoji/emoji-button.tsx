import type { LucideIcon } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '../../ui/controls/button.tsx';
import { closablePart } from '../../ui/layers/part-boundary.tsx';

const EmojiPopover = closablePart(() => import('./emoji-popover.tsx'), 'EmojiPopover');

interface EmojiButtonProps {
  label: string;
  icon: LucideIcon;
  className?: string;
  align?: 'start' | 'end';
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** What the person has chosen already. */
  chosen?: ReadonlySet<string>;
  onChoose: (text: string) => void;
  /** Takes focus after the picker is closed, instead of what had it before. */
  focusAfter?: () => void;
}

/** A button that opens the emoji picker, which is loaded as soon as somebody may need it. */
export function EmojiButton(props: EmojiButtonProps) {
  const { label, icon, className, isOpen, onOpenChange, ...rest } = props;
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <IconButton
        ref={button}
        label={label}
        icon={icon}
        className={className}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={() => void EmojiPopover.preload()}
        onFocus={() => void EmojiPopover.preload()}
        onClick={() => onOpenChange(!isOpen)}
      />
      {isOpen && (
        <EmojiPopover {...rest} anchor={button} label={label} onClose={() => onOpenChange(false)} />
      )}
    </>
  );
}
