import { UnreadableSecret, type Vault } from '../../adapters/secrets/vault.ts';
import type { Queryable } from '../../db/types.ts';
import { placeOf } from './service.ts';
import { listSealed, replaceSealed, type SealedRow } from './store.ts';

export interface ResealCounts {
  resealed: number;
  /** Under the first key before this run. */
  current: number;
  /** Under none of the keys. */
  unreadable: number;
}

const PAGE = 200;

/**
 * Moves every secret to the first secrets key. Each is replaced by itself and only as it was read, so
 * servers may run meanwhile, and a run that broke off is simply started again.
 */
export async function resealSecrets(db: Queryable, vault: Vault): Promise<ResealCounts> {
  const counts = { resealed: 0, current: 0, unreadable: 0 };
  let after = { orgId: '', id: '' };
  for (;;) {
    const page = await listSealed(db, after, PAGE);
    for (const row of page) {
      const outcome = await resealOne(db, vault, row);
      if (outcome) counts[outcome]++;
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return counts;
    after = last;
  }
}

/** Undefined where it went away meanwhile: what replaced it is sealed by a server that runs now. */
async function resealOne(
  db: Queryable,
  vault: Vault,
  row: SealedRow,
): Promise<keyof ResealCounts | undefined> {
  try {
    const resealed = vault.reseal(placeOf(row.orgId, row.id), row.sealedSecret);
    if (!resealed) return 'current';
    return (await replaceSealed(db, row, resealed)) ? 'resealed' : undefined;
  } catch (error) {
    if (error instanceof UnreadableSecret) return 'unreadable';
    throw error;
  }
}
