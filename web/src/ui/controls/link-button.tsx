import { createLink } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { buttonClass, type ButtonLook } from './button.tsx';

interface AnchorProps extends ComponentProps<'a'> {
  look?: ButtonLook;
  size?: 'small' | 'medium';
  /** Before the label. */
  icon?: LucideIcon;
}

function Anchor({ look = 'plain', size = 'medium', icon: Icon, children, ...rest }: AnchorProps) {
  return (
    <a {...rest} className={buttonClass(look, size)}>
      {Icon && <Icon aria-hidden className="size-4" />}
      {children}
    </a>
  );
}

/** A link that looks like a button. */
export const LinkButton = createLink(Anchor);
