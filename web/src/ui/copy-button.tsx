import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { copyText } from './copy-text.ts';

export function CopyButton({
  text,
  label = 'Copy',
  ...rest
}: { text: string; label?: string } & Omit<ButtonProps, 'onClick' | 'children'>) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <Button size="small" onClick={() => void copyText(text).then(setCopied)} {...rest}>
      {isCopied ? (
        <Check aria-hidden className="size-4" />
      ) : (
        <Copy aria-hidden className="size-4" />
      )}
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </Button>
  );
}
