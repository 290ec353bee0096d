import type { Pdfium } from './pdfium.ts';

export interface PageContent {
  pictures: number;
  shapes: number;
}

const SHAPE = 2;
const PICTURE = 3;
const FORM = 5;
/** Forms are drawn as if their content was on the page, and may contain others. */
const DEEPEST = 4;
const MOST_OBJECTS = 5000;

function* objectsOf(pdfium: Pdfium, page: number): Generator<{ object: number; type: number }> {
  let left = MOST_OBJECTS;
  function* walk(
    count: number,
    get: (at: number) => number,
    depth: number,
  ): Generator<{ object: number; type: number }> {
    for (let at = 0; at < count && left > 0; at++) {
      left--;
      const object = get(at);
      const type = pdfium.FPDFPageObj_GetType(object);
      if (type !== FORM) yield { object, type };
      else if (depth < DEEPEST) {
        const inside = pdfium.FPDFFormObj_CountObjects(object);
        yield* walk(inside, (nth) => pdfium.FPDFFormObj_GetObject(object, nth), depth + 1);
      }
    }
  }
  const all = pdfium.FPDFPage_CountObjects(page);
  yield* walk(all, (at) => pdfium.FPDFPage_GetObject(page, at), 0);
}

export function contentOf(pdfium: Pdfium, page: number): PageContent {
  const content = { pictures: 0, shapes: 0 };
  for (const { type } of objectsOf(pdfium, page)) {
    if (type === PICTURE) content.pictures++;
    if (type === SHAPE) content.shapes++;
  }
  return content;
}

export function hasUnknownPicture(pdfium: Pdfium, page: number): boolean {
  for (const { object, type } of objectsOf(pdfium, page)) {
    if (type !== PICTURE) continue;
    const bitmap = pdfium.FPDFImageObj_GetBitmap(object);
    if (bitmap === 0) return true;
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
  return false;
}
