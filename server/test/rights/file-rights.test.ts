import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openEventsOf, type EventStream } from '../harness/clients/event-stream.ts';
import { useServerWithOrg } from '../harness/processes/use-test-org.ts';
import { KINDS, STORIES, takeStep } from './file-stories.ts';
import { compare, compareOrgExport, expectNoLeak } from './file-views.ts';
import {
  createWorld,
  noteReaders,
  readsFile,
  textsRead,
  touchAll,
  type File,
  type Member,
  type World,
} from './file-world.ts';

/** Who can read which file, and what everything that shows, finds or tells of one says, is what the model says. */
const { server, call, send, org: otherOrg } = useServerWithOrg({ worker: true });

/** Somebody of another organisation knows every id. */
async function compareOutsider(world: World): Promise<void> {
  const { owner } = otherOrg;
  for (const { id } of world.files) {
    for (const path of ['', '/content', '/text', '/preview?width=160']) {
      expect((await call('GET', `/api/files/${id}${path}`, owner)).status).toBe(404);
    }
  }
  const body = { query: 'zebra report', limit: 50 };
  expect((await send('POST', '/api/documents/search', owner, body)).items).toEqual([]);
}

/** Of a change of a file, only those are told who could read it before or after, and they only get ids. */
async function expectHints(
  world: World,
  streams: Map<Member, EventStream>,
  touched: readonly File[] = [],
): Promise<void> {
  // What is done in the background tells people too.
  await textsRead(world);
  const [owner] = world.people;
  const fence = { name: `Fence ${Math.random()}` };
  const { id: projectId } = await send('POST', '/api/projects', owner, fence);
  for (const [person, stream] of streams) {
    if (!world.people.includes(person)) continue;
    const told = new Set<string | undefined>();
    for (const { type, data } of await stream.takeUntil('project.created', { projectId })) {
      expectNoLeak(world, person, JSON.stringify(data));
      if (type !== 'file.updated') continue;
      expect(Object.keys(data).toSorted()).toEqual(['fileId', 'projectId']);
      const readers = world.couldRead.get(data['fileId'] ?? '');
      const names = [...(readers ?? [])].map(({ email }) => email);
      expect(names, `told of ${data['fileId']}`).toContain(person.email);
      told.add(data['fileId']);
    }
    const expected = touched.filter((file) => readsFile(world, person, file));
    for (const { id, name } of expected) expect(told.has(id), `${name} ${person.email}`).toBe(true);
  }
  world.couldRead.clear();
  noteReaders(world);
}

async function listen(world: World): Promise<Map<Member, EventStream>> {
  const streams = new Map<Member, EventStream>();
  for (const person of world.people) {
    streams.set(person, await openEventsOf(server, person, world.org));
  }
  return streams;
}

it('whoever reads a file is who the model says, wherever it is shown, found or told of', async () => {
  const choice = fc.nat(60);
  const stories = fc.shuffledSubarray(Object.keys(STORIES), {
    minLength: Object.keys(STORIES).length,
  });
  const step = fc.record({
    kind: fc.constantFrom(...KINDS),
    who: fc.nat(3),
    choices: fc.tuple(choice, choice, choice),
  });
  const steps = fc.array(step, { minLength: 15, maxLength: 25, size: 'max' });
  await fc.assert(
    fc.asyncProperty(stories, steps, async (told, taken) => {
      const world = await createWorld({ call, db: server.db, origin: server.origin });
      const streams = await listen(world);
      for (const name of told) {
        await STORIES[name]?.(world);
        await expectHints(world, streams);
      }
      await expectHints(world, streams, await touchAll(world));
      for (const person of world.people) await compare(world, person);
      await compareOrgExport(world);
      for (const one of taken) {
        await takeStep(world, one);
        await expectHints(world, streams);
      }
      for (const person of world.people) await compare(world, person);
      await compareOrgExport(world);
      await compareOutsider(world);
      for (const stream of streams.values()) stream.close();
    }),
    { numRuns: 2, endOnFailure: true },
  );
}, 300_000);
