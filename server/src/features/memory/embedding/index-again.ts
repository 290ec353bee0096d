import { isDeepStrictEqual } from 'node:util';
import type { OrgDb } from '../../../db/types.ts';
import { indexWords, type PreparedContent } from '../search-form.ts';
import type { Visibility } from '../store.ts';
import { addTermCounts, termChanges } from '../term-counts/store.ts';
import { lockTerms, saveTermsAtCommit, type OutdatedMemory } from './store.ts';

/** Gives a memory the terms that it would get today, if they differ from those it has. */
export async function indexAgain({ db, orgId }: OrgDb, memory: OutdatedMemory): Promise<void> {
  const words = await indexWords(orgId, memory.content, memory.ownerUserId);
  if (isDeepStrictEqual(termsFor(memory.visibility, words), memory.terms)) return;
  await db.transaction(async (tx) => {
    const inner = { db: tx, orgId };
    const before = await lockTerms(inner, memory);
    if (!before) return;
    const { scope, visibility } = before;
    const terms = termsFor(visibility, words);
    saveTermsAtCommit(inner, memory.id, { terms, weights: words.weights });
    await addTermCounts(inner, termChanges(before, { scope, terms }));
  });
}

function termsFor(visibility: Visibility, { terms }: Pick<PreparedContent, 'terms'>): number[] {
  return visibility === 'PRIVATE' ? terms.own : terms.shared;
}
