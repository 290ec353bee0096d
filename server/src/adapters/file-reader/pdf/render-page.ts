import type { DrawnPdf, Pixels } from './drawn-pdf.ts';

export type { Pixels } from './drawn-pdf.ts';

const POINTS_PER_INCH = 72;
const LONGEST_SIDE = 4096;
/** A page that is much higher than wide is shown smaller. */
const MOST_PROPORTION = 4;

/** `dpi` or less, so that no side is too long. */
export function renderAt(pdf: DrawnPdf, page: number, dpi: number, longest: number): Pixels | null {
  return pdf.draw(page, (width, height) =>
    Math.min(dpi / POINTS_PER_INCH, longest / Math.max(width, height)),
  );
}

export function renderToWidth(pdf: DrawnPdf, page: number, wanted: number): Pixels | null {
  const highest = Math.min(LONGEST_SIDE, wanted * MOST_PROPORTION);
  return pdf.draw(page, (width, height) => Math.min(wanted / width, highest / height));
}
