import { isDeepStrictEqual } from 'node:util';
import type { Citation } from '../../messages/replies/service.ts';

/** What an answer may refer to, by what the model writes in square brackets. */
export type Citable = ReadonlyMap<string, Citation>;

const REFERENCE = /\[([a-z][a-z0-9]{1,24})\]/g;

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
