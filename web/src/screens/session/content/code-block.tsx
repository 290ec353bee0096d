import { memo } from 'react';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { useHighlight } from './use-highlight.ts';

interface CodeBlockProps {
  code: string;
  /** The text after the opening fence. Its first word names the language. */
  language?: string | undefined;
  /** More is coming, so it isn't coloured yet. */
  isGrowing: boolean;
}

export const CodeBlock = memo(function CodeBlock({ code, language, isGrowing }: CodeBlockProps) {
  const name =
    language
      ?.trim()
      .split(/[\s,{]/, 1)[0]
      ?.slice(0, 30) || undefined;
  const coloured = useHighlight(code, isGrowing ? undefined : name);
  return (
    <div dir="ltr" className="min-w-0 overflow-hidden rounded-md border border-line bg-ground">
      <div className="flex items-center justify-between gap-2 border-b border-line ps-3 text-xs text-muted">
        <span className="truncate font-mono">{name ?? 'text'}</span>
        <CopyButton text={code} look="quiet" className="text-xs" />
      </div>
      <pre
        role="group"
        aria-label={name ? `Code, ${name}` : 'Code'}
        tabIndex={0}
        className="max-h-[28rem] overflow-auto p-3 print:max-h-none print:overflow-visible print:whitespace-pre-wrap print:wrap-anywhere font-mono text-note leading-relaxed wrap-normal"
      >
        <code>{coloured ?? code}</code>
      </pre>
    </div>
  );
});
