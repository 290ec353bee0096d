import { useCallback, useState } from 'react';
import { cx } from '../../../ui/text/cx.ts';

type Side = 'left' | 'right';

/** On which sides there is more than fits. `board` is the ref of what scrolls. */
export function useMoreBeside() {
  const [beside, setBeside] = useState<readonly Side[]>([]);
  const board = useCallback((box: HTMLDivElement | null) => {
    if (!box) return undefined;
    const look = () => {
      const { scrollLeft, scrollWidth, clientWidth } = box;
      // Zoomed pages scroll by fractions of a pixel.
      const sides: Record<Side, boolean> = {
        left: scrollLeft > 1,
        right: scrollLeft + clientWidth < scrollWidth - 1,
      };
      const next = (['left', 'right'] as const).filter((side) => sides[side]);
      setBeside((before) => (before.join() === next.join() ? before : next));
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(box);
    box.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      sizes.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, []);
  return { board, beside };
}

/** Says that there is more, where the board is cut off. */
export function MoreShadow({ beside }: { beside: readonly Side[] }) {
  return beside.map((side) => (
    <div
      key={side}
      aria-hidden
      data-more={side}
      className={cx(
        'pointer-events-none absolute inset-y-0 z-2 w-8 from-ground to-transparent',
        side === 'left' ? 'left-0 bg-linear-to-r' : 'right-0 bg-linear-to-l',
      )}
    />
  ));
}
