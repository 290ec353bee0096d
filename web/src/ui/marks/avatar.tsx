import { Bot } from 'lucide-react';
import { cx } from '../text/cx.ts';

const GROUNDS = [
  'bg-[#4740d4]',
  'bg-[#17703f]',
  'bg-[#9a3412]',
  'bg-[#0e6a8a]',
  'bg-[#8a2466]',
  'bg-[#6b4f0f]',
];
const SIZE = {
  small: 'size-6 text-[11px]',
  medium: 'size-8 text-note',
  large: 'size-12 text-lg',
};

/** Created once, because that takes longer than everything else here. */
const LETTERS = new Intl.Segmenter();

/** Decoration next to a name: its first letter, on a colour that stays the same for one person. */
export function Avatar({
  name,
  seed = name,
  size = 'medium',
}: {
  name: string;
  seed?: string;
  size?: keyof typeof SIZE;
}) {
  const letter = [...LETTERS.segment(name.trim())][0]?.segment.toUpperCase() ?? '?';
  let sum = 0;
  for (const char of seed) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 9973;
  return (
    <span
      aria-hidden
      className={cx(
        'inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full font-semibold text-white select-none',
        GROUNDS[sum % GROUNDS.length],
        SIZE[size],
      )}
    >
      {letter}
    </span>
  );
}

export function AgentAvatar({ size = 'medium' }: { size?: keyof typeof SIZE }) {
  return (
    <span
      aria-hidden
      className={cx(
        'inline-flex shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent',
        SIZE[size],
      )}
    >
      <Bot className="size-[60%]" />
    </span>
  );
}
