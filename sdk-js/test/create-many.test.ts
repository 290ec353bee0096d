import { describe, expect, it } from 'vitest';
import { Atrium, AtriumMemory, ConflictError } from '../src/index.ts';

interface Sent {
  url: string;
  key: string | null;
  contents: string[];
}

/** A server that stores what it is sent, and refuses the batch with this number. */
function fakeServer(refused = 0) {
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const { items } = JSON.parse(init?.body as string);
    const contents = items.map(({ content }: { content: string }) => content);
    const key = new Headers(init?.headers).get('Idempotency-Key');
    sent.push({ url: url as string, key, contents });
    if (sent.length === refused) {
      const error = { code: 'CONFLICT', message: 'No.', details: { reason: 'project_archived' } };
      return Response.json({ success: false, error, metadata: {} }, { status: 409 });
    }
    return Response.json({ success: true, data: { items, total: items.length } }, { status: 201 });
  };
  return { sent, fetch };
}

const options = { baseURL: 'http://atrium.test/api' };
const notes = (count: number, content = 'note') =>
  Array.from({ length: count }, (_, at) => ({
    content: `${content} ${at}`,
    visibility: 'ORG' as const,
  }));

describe('memory.createMany', () => {
  it('cuts a list into batches of 100, in order, each with its own key, and shows progress', async () => {
    const { sent, fetch } = fakeServer();
    const client = new Atrium({ ...options, fetch, apiKey: `atr_${'a'.repeat(46)}` });
    const shown: unknown[] = [];
    const created = await client.memory.createMany(notes(250), {
      onProgress: (progress) => shown.push(progress),
    });
    expect(sent.map(({ contents }) => contents.length)).toEqual([100, 100, 50]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
    expect(created.map(({ content }) => content)).toEqual(notes(250).map(({ content }) => content));
    expect(shown).toEqual([100, 200, 250].map((done) => ({ created: done, total: 250 })));
  });

  it('sends long texts in smaller batches, and nothing for an empty list', async () => {
    const { sent, fetch } = fakeServer();
    const client = new Atrium({ ...options, fetch, apiKey: `atr_${'a'.repeat(46)}` });
    await client.memory.createMany(notes(45, 'x'.repeat(9_990)));
    expect(sent.map(({ contents }) => contents.length)).toEqual([19, 19, 7]);
    expect(await client.memory.createMany([])).toEqual([]);
    expect(sent).toHaveLength(3);
  });

  it('stops at a batch that fails; with the same key, a second call repeats the first batches', async () => {
    const { sent, fetch } = fakeServer(2);
    const client = new AtriumMemory({ ...options, fetch, apiKey: `sk_live_${'a'.repeat(46)}` });
    const call = () => client.memories.createMany(notes(201), { idempotencyKey: 'wiki' });
    await expect(call()).rejects.toThrow(ConflictError);
    await call();
    expect(sent.map(({ key }) => key)).toEqual(['wiki-1', 'wiki-2', 'wiki-1', 'wiki-2', 'wiki-3']);
    expect(sent[0]).toEqual(sent[2]);
    expect(sent[0]?.url).toBe('http://atrium.test/api/v1/memories/batch');
  });
});
