import { OTHERS } from './others.ts';
import { PDFS } from './pdfs.ts';

export type { WrittenDocument } from './parts.ts';

export const LIBRARY = [...PDFS, ...OTHERS];
