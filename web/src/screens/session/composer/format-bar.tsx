import { AtSign, Bold, Code, Italic, List, TextQuote } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../../ui/button.tsx';
import type { Format } from './formatting.ts';

const ICON = 'size-4';
const FORMATS: [Format, string, ReactNode][] = [
  ['bold', 'Bold', <Bold aria-hidden className={ICON} />],
  ['italic', 'Italic', <Italic aria-hidden className={ICON} />],
  ['code', 'Code', <Code aria-hidden className={ICON} />],
  ['list', 'List', <List aria-hidden className={ICON} />],
  ['quote', 'Quote', <TextQuote aria-hidden className={ICON} />],
];

interface FormatBarProps {
  disabled: boolean;
  onFormat: (format: Format) => void;
  onMention: () => void;
}

export function FormatBar({ disabled, onFormat, onMention }: FormatBarProps) {
  return (
    <div className="flex min-w-0 items-center">
      <IconButton
        label="Mention an agent or a person"
        icon={<AtSign aria-hidden className={ICON} />}
        disabled={disabled}
        onClick={onMention}
      />
      {FORMATS.map(([format, label, icon]) => (
        <IconButton
          key={format}
          label={label}
          icon={icon}
          disabled={disabled}
          onClick={() => onFormat(format)}
        />
      ))}
    </div>
  );
}
