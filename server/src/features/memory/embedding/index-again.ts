import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../../db/types.ts';
import { indexWords, type PreparedContent } from '../search-form.ts';
import type { Visibility } from '../store.ts';
import { addTermCounts, termChanges } from '../term-counts/store.ts';
import { lockTerms, saveTermsAtCommit, type OutdatedMemory } from './store.ts';

/** Gives a memory the terms that it would get today, if they differ from those it has. */
export async function indexAgain(
  db: Database,
  orgId: string,
  memory: OutdatedMemory,
): Promise<void> {
  const words = await indexWords(orgId, memory.content, memory.ownerUserId);
  if (isDeepStrictEqual(termsFor(memory.visibility, words), memory.terms)) return;
  await db.transaction(async (tx) => {
    const before = await lockTerms(tx, orgId, memory);
    if (!before) return;
    const { scope, visibility } = before;
    const terms = termsFor(visibility, words);
    saveTermsAtCommit(tx, orgId, memory.id, { terms, weights: words.weights });
    await addTermCounts(tx, orgId, termChanges(before, { scope, terms }));
  });
}

function termsFor(visibility: Visibility, { terms }: Pick<PreparedContent, 'terms'>): number[] {
  return visibility === 'PRIVATE' ? terms.own : terms.shared;
}
