import { AtSign, Bold, Code, Italic, List, Smile, TextQuote, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { AttachButtons } from '../../../shared/files/attach-buttons.tsx';
import { EmojiButton } from '../../../shared/emoji/emoji-button.tsx';
import { IconButton } from '../../../ui/controls/button.tsx';
import type { Format } from './formatting.ts';

/** The last ones only if there is room. */
const FORMATS: [Format, string, LucideIcon][] = [
  ['bold', 'Bold', Bold],
  ['italic', 'Italic', Italic],
  ['code', 'Code', Code],
  ['list', 'List', List],
  ['quote', 'Quote', TextQuote],
];

const MOST_ON_PHONE = 3;

interface FormatBarProps {
  onFiles: (files: File[]) => void;
  onFormat: (format: Format) => void;
  onMention: () => void;
  onEmoji: (text: string) => void;
  focusText: () => void;
}

export function FormatBar({ onFiles, onFormat, onMention, onEmoji, focusText }: FormatBarProps) {
  const [isPicking, setPicking] = useState(false);
  return (
    <div className="flex min-w-0 items-center">
      <AttachButtons onFiles={onFiles} />
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
      {FORMATS.map(([format, label, icon], nth) => (
        <IconButton
          key={format}
          label={label}
          icon={icon}
          className={nth < MOST_ON_PHONE ? '' : 'max-sm:hidden'}
          onClick={() => onFormat(format)}
        />
      ))}
    </div>
  );
}
