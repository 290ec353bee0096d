/**
 * The bases of sessions that were posted to lately. To make keys from hashes, the database would need a fifth
 * of what a post costs it. A session's scope never changes. Its period does, and searches know that what comes
 * shortly after one began may still be of the one before.
 */
const KEPT_MS = 30_000;
const MAX_KEPT = 10_000;

interface KeptBase {
  orgId: string;
  base: bigint;
  until: number;
}

const kept = new Map<string, KeptBase>();

const nameOf = (orgId: string, sessionId: string) => `${orgId}/${sessionId}`;

export function findBase(orgId: string, sessionId: string): bigint | undefined {
  const found = kept.get(nameOf(orgId, sessionId));
  return found !== undefined && performance.now() < found.until ? found.base : undefined;
}

export function keepBase(orgId: string, sessionId: string, base: bigint): void {
  const name = nameOf(orgId, sessionId);
  kept.delete(name);
  kept.set(name, { orgId, base, until: performance.now() + KEPT_MS });
  // A map keeps the order of insertion: the first is the oldest.
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}

/** When the org has a new period. */
export function forgetBases(orgId: string): void {
  for (const [name, one] of kept) if (one.orgId === orgId) kept.delete(name);
}
