import { isDeepStrictEqual } from 'node:util';
import type { Citation } from '../../messages/replies/service.ts';

/** What an answer may refer to, by what the model writes in square brackets. */
export type Citable = ReadonlyMap<string, Citation>;

/** The longest is a page of a document: its id, `p` and a number. */
const REFERENCE = /\[([a-z][a-z0-9]{1,31})\]/g;

/** What a model writes for a page of a document that a tool found. */
export function pageReference(documentId: string, page: number): string {
  return `${documentId}p${page}`;
}

/** Turns references into numbers: `[m2]` becomes `[1]` if it is the first one used. Counts on from `before`. */
export function readCitations(
  text: string,
  citable: Citable,
  before: readonly Citation[] = [],
): { body: string; citations: Citation[] } {
  const citations = [...before];
  const body = text.replaceAll(REFERENCE, (written, reference: string) => {
    const citation = citable.get(reference);
    if (!citation) return written;
    const at = citations.findIndex((each) => isDeepStrictEqual(each, citation));
    return `[${at === -1 ? citations.push(citation) : at + 1}]`;
  });
  return { body, citations };
}
