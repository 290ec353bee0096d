import { AtSign, Bold, Code, Italic, List, TextQuote, type LucideIcon } from 'lucide-react';
import { IconButton } from '../../../ui/controls/button.tsx';
import type { Format } from './formatting.ts';

const FORMATS: [Format, string, LucideIcon][] = [
  ['bold', 'Bold', Bold],
  ['italic', 'Italic', Italic],
  ['code', 'Code', Code],
  ['list', 'List', List],
  ['quote', 'Quote', TextQuote],
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
        icon={AtSign}
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
