import { createCanvas } from '@napi-rs/canvas';
import type { PdfPage } from './open-pdf.ts';

/** Pixels as RGBA. */
export interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}

const POINTS_PER_INCH = 72;
const LONGEST_SIDE = 4096;
/** A page that is much higher than wide is shown smaller. */
const MOST_PROPORTION = 4;

/** `dpi` or less, so that no side is too long. */
export function renderAt(page: PdfPage, dpi: number, longest: number): Promise<Pixels> {
  const { width, height } = page.getViewport({ scale: 1 });
  return render(page, Math.min(dpi / POINTS_PER_INCH, longest / Math.max(width, height)));
}

export function renderToWidth(page: PdfPage, wanted: number): Promise<Pixels> {
  const { width, height } = page.getViewport({ scale: 1 });
  const byHeight = Math.min(LONGEST_SIDE, wanted * MOST_PROPORTION) / height;
  return render(page, Math.min(wanted / width, byHeight));
}

async function render(page: PdfPage, scale: number): Promise<Pixels> {
  const viewport = page.getViewport({ scale });
  const width = Math.max(1, Math.round(viewport.width));
  const height = Math.max(1, Math.round(viewport.height));
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  // pdfjs names the types of a browser's canvas, and uses only what both have.
  const target = { canvas: canvas as never, canvasContext: context as never };
  await page.render({ ...target, viewport }).promise;
  return { data: canvas.data(), width, height };
}
