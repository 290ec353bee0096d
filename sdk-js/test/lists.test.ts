import { describe, expect, it } from 'vitest';
import type { Atrium } from '../src/index.ts';
import { NotAtriumError, UsageError } from '../src/index.ts';
import { connect, failure, openSession } from './harness/client.ts';
import { startFake, succeed } from './harness/fake.ts';

const client = connect();

/** Runs `act` this many times, eight at a time. */
async function times(count: number, act: (n: number) => PromiseLike<unknown>): Promise<void> {
  const left = Array.from({ length: count }, (_, n) => n);
  const worker = async () => {
    for (let n = left.shift(); n !== undefined; n = left.shift()) await act(n);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

async function allIds(list: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

describe('a list by page number', () => {
  it('can be awaited for one page or iterated over for all; limit is the page size', async () => {
    const { slug, sessionId } = await openSession(client);
    await times(8, (n) => client.sessions.create(slug, { name: `S${n}` }));
    const first = await client.sessions.list(slug, { limit: 2 });
    expect(first).toMatchObject({ total: 9, hasNextPage: true });
    expect(first.items).toHaveLength(2);
    const second = await first.nextPage();
    expect(second.items[0]?.id).not.toBe(first.items[0]?.id);

    const ids = await allIds(client.sessions.list(slug, { limit: 2 }));
    expect(new Set(ids).size).toBe(9);
    expect(ids).toContain(sessionId);
    expect(await allIds(second)).toEqual(ids.slice(2));
    const last = await client.sessions.list(slug, { limit: 2, page: 5 });
    expect(last).toMatchObject({ hasNextPage: false, items: [expect.anything()] });
    expect((await failure(last.nextPage(), UsageError)).message).toMatch(/last page/);
    expect(await client.sessions.list(slug, { page: 99 })).toMatchObject({
      items: [],
      hasNextPage: false,
    });
  });

  it('shows nothing twice while new items push others onto later pages', async () => {
    const { slug } = await openSession(client);
    await times(8, (n) => client.sessions.create(slug, { name: `S${n}` }));
    const before = new Set(await allIds(client.sessions.list(slug)));
    const seen: string[] = [];
    for await (const { id } of client.sessions.list(slug, { limit: 2 })) {
      seen.push(id);
      if (seen.length % 2 === 0) await client.sessions.create(slug, { name: 'New' });
      if (seen.length > 20) break;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect([...before].filter((id) => !seen.includes(id))).toEqual([]);
  });
});

describe('a list by cursor', () => {
  it('memories: more than three pages, deleting while iterating', async () => {
    await times(9, (n) =>
      client.memory.create({ content: `Note ${n}`, visibility: 'PRIVATE', tags: ['cursor'] }),
    );
    const page = await client.memory.list({ tag: 'cursor', limit: 2 });
    expect(page).toMatchObject({ total: undefined, hasNextPage: true });
    let count = 0;
    for await (const { id } of client.memory.list({ tag: 'cursor', limit: 2 })) {
      await client.memory.delete(id);
      count += 1;
    }
    expect(count).toBe(9);
    expect((await client.memory.list({ tag: 'cursor' })).items).toEqual([]);
  });

  it(
    '1,000 messages while new ones arrive: none twice, none missing',
    { timeout: 120_000 },
    async () => {
      const { slug, sessionId } = await openSession(client);
      const posted = new Set<string>();
      await times(1000, async (n) => {
        posted.add((await client.messages.post(slug, sessionId, { body: `Message ${n}` })).id);
      });
      const reading = new AbortController();
      const later = (async () => {
        for (let n = 0; !reading.signal.aborted; n++)
          await client.messages.post(slug, sessionId, { body: `Later ${n}` });
      })();
      const seen = await allIds(client.messages.list(slug, sessionId, { limit: 60 }));
      reading.abort();
      await later;
      expect(new Set(seen).size).toBe(seen.length);
      expect([...posted].filter((id) => !seen.includes(id))).toEqual([]);
      expect((await client.messages.list(slug, sessionId, { limit: 1 })).total).toBeGreaterThan(
        1000,
      );
      await checkAround(client, slug, sessionId, seen[500] ?? '');
    },
  );
});

/** Reads the window around a message, then the page before it. */
async function checkAround(
  client: Atrium,
  slug: string,
  sessionId: string,
  id: string,
): Promise<void> {
  const window = await client.messages.list(slug, sessionId, { around: id, limit: 9 });
  expect(window.items.map((message) => message.id)).toContain(id);
  expect(window.hasNextPage).toBe(true);
  const older = await window.nextPage();
  expect(older.items.map((message) => message.id)).not.toContain(id);
}

describe('a list without pages', () => {
  it('can be awaited and iterated over too', async () => {
    const page = await client.models.list();
    expect(page).toMatchObject({ hasNextPage: false, total: page.items.length });
    const slugs: string[] = [];
    for await (const { slug } of client.models.list()) slugs.push(slug);
    expect(slugs).toEqual(page.items.map(({ slug }) => slug));
  });
});

describe('refreshing a page', () => {
  it('returns the same page until something changes, for messages and sessions', async () => {
    const { slug, sessionId } = await openSession(client);
    await client.messages.post(slug, sessionId, { body: 'one' });
    const page = await client.messages.list(slug, sessionId, { limit: 1 });
    expect(await page.refresh()).toBe(page);
    await client.messages.post(slug, sessionId, { body: 'two' });
    const newer = await page.refresh();
    expect(newer.items).toMatchObject([{ body: 'two' }]);
    expect((await newer.nextPage()).items).toMatchObject([{ body: 'one' }]);
    expect(await newer.refresh()).toBe(newer);

    const sessions = await client.sessions.list(slug);
    expect(await sessions.refresh()).toBe(sessions);
    await client.sessions.update(slug, sessionId, { title: 'New' });
    expect((await sessions.refresh()).items).toMatchObject([{ title: 'New' }]);
  });

  it('loads a list without an ETag again', async () => {
    const page = await client.models.list();
    const again = await page.refresh();
    expect(again).not.toBe(page);
    expect(again.items).toEqual(page.items);
  });

  it('sends the ETag, and only then takes a 304 for an answer', async () => {
    const { baseURL, seen } = await startFake((response, _, n) => {
      if (n === 1) response.setHeader('ETag', '"a"');
      if (n === 1) succeed(response, { items: [{ id: 'c1' }], hasMore: false });
      else response.writeHead(304).end();
    });
    const fake = connect({ baseURL });
    const page = await fake.messages.list('s', 'c1');
    expect(await page.refresh()).toBe(page);
    expect(seen.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"a"']);
    await failure(fake.messages.list('s', 'c1'), NotAtriumError);
  });
});
