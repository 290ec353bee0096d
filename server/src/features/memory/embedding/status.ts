import type { UserContext } from '../../../core/context.ts';
import type { Database } from '../../../db/types.ts';
import type { MemoryStatus } from '../schema.ts';
import { readerOf } from '../visibility.ts';
import { countMemories, countOutdatedByOrg, countVisibleOutdated, type Models } from './store.ts';

/** For operators: of all orgs. */
export async function memoryStatus(db: Database, models: Models): Promise<MemoryStatus> {
  const [memories, pending] = await Promise.all([countMemories(db), countPending(db, models)]);
  return { model: models.model, ready: Math.max(0, memories - pending), pending };
}

/** The same without counting what is ready, which takes long if there are many. */
export async function countPending(db: Database, models: Models): Promise<number> {
  const orgs = await countOutdatedByOrg(db, models);
  return orgs.reduce((sum, { memories }) => sum + memories, 0);
}

/** For people: of what they can see. */
export async function getMemoryStatus(ctx: UserContext): Promise<MemoryStatus> {
  const { encoder, db } = ctx;
  const { memories, outdated } = await countVisibleOutdated(db, readerOf(ctx), encoder);
  return { model: encoder.model, ready: Math.max(0, memories - outdated), pending: outdated };
}
