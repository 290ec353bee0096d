import { UnreadableSecret, type Vault } from '../adapters/secrets/vault.ts';
import type { Queryable } from '../db/types.ts';
import { sealedTokens } from '../features/channels/sealed/service.ts';
import { sealedSecrets } from '../features/mcp/service.ts';
import { sealedKeys } from '../features/models/service.ts';
import type { SealedRow, SealedSource } from '../db/sealed-column.ts';

/** Every kind of secret that is stored. */
const SOURCES: readonly SealedSource[] = [sealedSecrets, sealedTokens, sealedKeys];

export interface ResealCounts {
  resealed: number;
  /** Already sealed under the first key. */
  current: number;
  /** Sealed under none of the keys. */
  unreadable: number;
}

const PAGE = 200;

/**
 * Moves every secret to the first secrets key. Each one is replaced separately, and only if it has not
 * changed since it was read. So servers can keep running, and an interrupted run can be repeated.
 */
export async function resealSecrets(db: Queryable, vault: Vault): Promise<ResealCounts> {
  const counts = { resealed: 0, current: 0, unreadable: 0 };
  for (const source of SOURCES) {
    for await (const row of allSealed(db, source)) {
      const outcome = await resealOne(db, vault, source, row);
      if (outcome) counts[outcome]++;
    }
  }
  return counts;
}

/** How many stored secrets these keys decrypt; without keys, none. */
export async function countSecrets(
  db: Queryable,
  vault: Vault | undefined,
): Promise<{ readable: number; unreadable: number }> {
  const counts = { readable: 0, unreadable: 0 };
  for (const source of SOURCES) {
    for await (const row of allSealed(db, source))
      counts[isReadable(vault, source, row) ? 'readable' : 'unreadable']++;
  }
  return counts;
}

function isReadable(
  vault: Vault | undefined,
  { placeOf }: SealedSource,
  { orgId, id, sealedSecret }: SealedRow,
): boolean {
  try {
    return vault?.unseal(placeOf(orgId, id), sealedSecret) !== undefined;
  } catch (error) {
    if (error instanceof UnreadableSecret) return false;
    throw error;
  }
}

async function* allSealed(db: Queryable, { list }: SealedSource): AsyncGenerator<SealedRow> {
  let after = { orgId: '', id: '' };
  for (;;) {
    const page = await list(db, after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last;
  }
}

/** Undefined if it was removed or replaced meanwhile. A running server seals with the first key. */
async function resealOne(
  db: Queryable,
  vault: Vault,
  { placeOf, replace }: SealedSource,
  row: SealedRow,
): Promise<keyof ResealCounts | undefined> {
  try {
    const resealed = vault.reseal(placeOf(row.orgId, row.id), row.sealedSecret);
    if (!resealed) return 'current';
    return (await replace(db, row, resealed)) ? 'resealed' : undefined;
  } catch (error) {
    if (error instanceof UnreadableSecret) return 'unreadable';
    throw error;
  }
}
