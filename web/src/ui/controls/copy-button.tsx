import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { copyText } from './copy-text.ts';

interface CopyButtonProps extends Omit<ButtonProps, 'onClick' | 'children'> {
  text: string;
  label?: string;
  /** The text is in the clipboard. */
  onCopied?: () => void;
}

export function CopyButton({ text, label = 'Copy', onCopied, ...rest }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  async function copy() {
    const isDone = await copyText(text);
    setCopied(isDone);
    if (isDone) onCopied?.();
  }
  return (
    <Button size="small" icon={isCopied ? Check : Copy} onClick={() => void copy()} {...rest}>
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </Button>
  );
}
