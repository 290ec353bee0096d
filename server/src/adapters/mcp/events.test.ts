import type { ReadableStream as WebStream } from 'node:stream/web';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countAsyncWork } from '../../../test/harness/counting/count-work.ts';
import { findResponse, readEvents } from './events.ts';

/** The bytes, cut at these places. */
function streamOf(text: string, cuts: readonly number[] = []): WebStream<Uint8Array> {
  const bytes = Buffer.from(text);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted(
    (a, b) => a - b,
  );
  const chunks = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
  return ReadableStream.from(chunks);
}

async function eventsOf(text: string, cuts: readonly number[] = []): Promise<string[]> {
  return Array.fromAsync(readEvents(streamOf(text, cuts)));
}

describe('server-sent events', () => {
  it.each([
    ['data: a\n\ndata: b\n\n', ['a', 'b']],
    ['data:a\r\n\r\ndata:  b\r\n\r\n', ['a', ' b']],
    ['data: a\r\rdata: b\r\r\n', ['a', 'b']],
    [': comment\n\nevent: message\nid: 1\ndata: a\ndata: b\nretry: 5\n\n', ['a\nb']],
    ['data\n\nid: 1\n\n', []],
    ['data: cut', []],
    ['\ufeffdata: a\n\n', ['a']],
    ['', []],
  ])('%j', async (text, events) => {
    expect(await eventsOf(text)).toEqual(events);
  });

  it('are the same however they are split into chunks', async () => {
    const piece = fc.constantFrom(
      'data: ',
      'data:',
      'é',
      '💡',
      ':',
      'x',
      '\n',
      '\r',
      '\r\n',
      '\n\n',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece), fc.array(fc.nat()), async (pieces, cuts) => {
        const text = `${pieces.join('')}x`;
        expect(await eventsOf(text, cuts)).toEqual(await eventsOf(text));
      }),
    );
  });

  it('a line that arrives byte by byte is not scanned again for each byte', async () => {
    const work = (size: number) => {
      const text = `data: ${'x'.repeat(size)}\n\n`;
      const events = readEvents(
        streamOf(
          text,
          Array.from(text, (_, at) => at),
        ),
      );
      return countAsyncWork(async () => {
        for await (const event of events) expect(event).toHaveLength(size);
      });
    };
    // Eight times if the work is linear, 64 times if it is quadratic.
    expect((await work(1_600)) / (await work(200))).toBeLessThan(12);
  });
});

describe('the response to a request', () => {
  const answer = { jsonrpc: '2.0', id: 7, result: {} };
  it.each([
    ['alone', answer],
    ['with its id as text', { ...answer, id: '7' }],
    ['an error', { jsonrpc: '2.0', id: 7, error: { code: 1, message: '' } }],
  ])('is found: %s', (_, message) => {
    expect(findResponse(JSON.stringify(message), 7)).toEqual(message);
    expect(findResponse(JSON.stringify([{ id: 6 }, null, 1, message]), 7)).toEqual(message);
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '7',
    '"7"',
    '{"id":8}',
    '{"id":null}',
    '{"id":7,"method":"ping"}',
  ])('is not in %j', (json) => {
    expect(findResponse(json, 7)).toBeUndefined();
  });
});
