import { cx } from '../text/cx.ts';
import { hueStyle, patternOf } from './generated.ts';

const SIZE = {
  tiny: 'size-4.5 text-[10px]',
  small: 'size-6 text-[11px]',
  medium: 'size-8 text-note',
  large: 'size-12 text-lg',
  huge: 'size-16 text-2xl',
};

/** Created once, because that takes longer than everything else here. */
const LETTERS = new Intl.Segmenter();

interface AvatarProps {
  name: string;
  seed?: string;
  /** The path of the person's photo, which covers the letter once it is loaded. */
  photo?: string | null | undefined;
  size?: keyof typeof SIZE;
}

/** Decoration next to a name: its first letter, on a colour that stays the same for one person. */
export function Avatar({ name, seed = name, photo, size = 'medium' }: AvatarProps) {
  const letter = [...LETTERS.segment(name.trim())][0]?.segment.toUpperCase() ?? '?';
  return (
    <span
      aria-hidden
      style={hueStyle(seed)}
      className={cx(
        'person-hue relative inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full font-semibold text-white select-none',
        SIZE[size],
      )}
    >
      {letter}
      {photo && (
        <img
          key={photo}
          src={photo}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          className="absolute inset-0 size-full object-cover"
          // The letter is still there.
          onError={({ currentTarget }) => currentTarget.remove()}
        />
      )}
    </span>
  );
}

interface AgentAvatarProps extends Pick<AvatarProps, 'size'> {
  /** The agent's or the model's. */
  slug?: string | null | undefined;
}

/** A square with a pattern, so that nobody takes an agent for a person or for another agent. */
export function AgentAvatar({ slug, size = 'medium' }: AgentAvatarProps) {
  const seed = slug ?? '';
  return (
    <span
      aria-hidden
      style={hueStyle(seed)}
      className={cx(
        'agent-hue inline-flex shrink-0 items-center justify-center rounded-[28%]',
        SIZE[size],
      )}
    >
      <svg viewBox="0 0 5 5" className="size-[62%]" shapeRendering="crispEdges">
        <path fill="currentColor" d={patternOf(seed)} />
      </svg>
    </span>
  );
}
