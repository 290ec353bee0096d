import { AtSign, Bold, Code, Italic, List, Smile, TextQuote, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { EmojiButton } from '../../../shared/emoji/emoji-button.tsx';
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
  onFormat: (format: Format) => void;
  onMention: () => void;
  onEmoji: (text: string) => void;
  focusText: () => void;
}

export function FormatBar({ onFormat, onMention, onEmoji, focusText }: FormatBarProps) {
  const [isPicking, setPicking] = useState(false);
  return (
    <div className="flex min-w-0 items-center">
      <IconButton label="Mention an agent or a person" icon={AtSign} onClick={onMention} />
      <EmojiButton
        label="Add emoji"
        icon={Smile}
        // Keyboards of phones have their own.
        className="max-sm:hidden"
        align="start"
        isOpen={isPicking}
        onOpenChange={setPicking}
        onChoose={onEmoji}
        focusAfter={focusText}
      />
      {FORMATS.map(([format, label, icon]) => (
        <IconButton key={format} label={label} icon={icon} onClick={() => onFormat(format)} />
      ))}
    </div>
  );
}
