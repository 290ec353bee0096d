import type { ReactNode } from 'react';
import { useAfterPaint } from './use-after-paint.ts';

/** What takes long to draw. Until it is there, the page takes what people type and click. */
export function AfterPaint({ before, children }: { before: ReactNode; children: ReactNode }) {
  return useAfterPaint() ? children : before;
}
