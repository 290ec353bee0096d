import { afterAll, beforeAll, expect, it } from 'vitest';
import { readStatistics } from '../harness/models/memory-statistics.ts';
import { startMemoryWorld, type MemoryWorld } from '../harness/models/memory-world.ts';

let world: MemoryWorld;
const seed = Number(process.env['MEMORY_SEED'] ?? Date.now() % 2 ** 31);

beforeAll(async () => {
  world = await startMemoryWorld(seed);
});
afterAll(() => world.stop());

it(`2,000 random searches find exactly what a naive model says can be seen (MEMORY_SEED=${seed})`, async () => {
  for (let round = 0; round < 10; round++) {
    await world.searchAtRandom(200);
    await world.listAtRandom(10);
    await world.changeAtRandom(10);
  }
  for (const { orgId } of world.orgs) {
    const { kept, counted } = await readStatistics(world.server.db, orgId);
    expect(kept).toEqual(counted);
  }
}, 900_000);
