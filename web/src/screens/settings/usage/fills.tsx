import { MOST_SERIES } from './summarise.ts';

/**
 * Each series has its own colour and its own pattern, so that either is enough to tell them apart. The pattern is
 * cut out of the colour, in an 8 by 8 tile.
 */
const FILLS: { colour: string; turn?: number; cut?: React.ReactNode }[] = [
  { colour: 'fill-[#4740d4] dark:fill-[#9ba0fb]' },
  { colour: 'fill-[#b45309] dark:fill-[#f5a94b]', turn: 45, cut: <rect width="3" height="8" /> },
  { colour: 'fill-[#0f766e] dark:fill-[#4fd1c0]', cut: <circle cx="4" cy="4" r="1.8" /> },
  { colour: 'fill-[#a21870] dark:fill-[#f08bc9]', cut: <rect width="8" height="3" /> },
  { colour: 'fill-[#0369a1] dark:fill-[#6cbdf5]', turn: -45, cut: <rect width="3" height="8" /> },
  { colour: 'fill-[#4d7c0f] dark:fill-[#a9d95b]', cut: <path d="M0 0h8v2H2v6H0z" /> },
  { colour: 'fill-[#6b6b66] dark:fill-[#a0a0aa]', cut: <rect width="3" height="8" /> },
];

export function fillOf(id: string, place: number): string {
  return `url(#${id}-${Math.min(place, MOST_SERIES)})`;
}

/** Goes inside an `<svg>`. Other SVGs on the page can use the patterns it defines. */
export function Fills({ id }: { id: string }) {
  return (
    <defs>
      {FILLS.map(({ colour, turn, cut }, place) => (
        <pattern
          key={colour}
          id={`${id}-${place}`}
          patternUnits="userSpaceOnUse"
          width="8"
          height="8"
          patternTransform={turn ? `rotate(${turn})` : undefined}
        >
          <rect width="8" height="8" className={colour} />
          <g className="fill-surface">{cut}</g>
        </pattern>
      ))}
    </defs>
  );
}
