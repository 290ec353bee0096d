import { describe, expect, it } from 'vitest';
import { Atrium, ForbiddenError, NotFoundError, type SessionEvent } from '../src/index.ts';

const REPLY = { projectId: 'p', sessionId: 's', questionId: 'q', mention: 'ada' };

const sse = (...events: [type: string, data: object][]) =>
  events.map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);

/** A response that sends these pieces, then ends, breaks, or stays open. */
function stream(pieces: string[], ending: 'end' | 'break' | 'open' = 'end'): Response {
  const bytes = pieces.map((piece) => new TextEncoder().encode(piece));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = bytes.shift();
      if (next) return controller.enqueue(next);
      if (ending === 'end') controller.close();
      if (ending === 'break') controller.error(new TypeError('terminated'));
      return ending === 'open' ? new Promise(() => {}) : undefined;
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
}

function refusal(status: number, code: string): Response {
  const body = { success: false, error: { code, message: 'No.', details: {} } };
  return Response.json(body, { status });
}

/** A client whose server sends these responses, the last one again and again. */
function clientOf(...responses: (() => Response)[]) {
  const urls: string[] = [];
  const fetch: typeof globalThis.fetch = async (url) => {
    const make = responses[Math.min(urls.length, responses.length - 1)];
    urls.push(url as string);
    return (make as () => Response)();
  };
  const apiKey = `atr_${'a'.repeat(46)}`;
  return { client: new Atrium({ apiKey, baseURL: 'http://atrium.test/api', fetch }), urls };
}

describe('messages.postAndWait', () => {
  it('tells onDelta what is written meanwhile', async () => {
    const startedAt = '2026-11-15T09:30:00.000Z';
    const message = { id: 'q', sessionId: 's', parentMessageId: null };
    const pendingReplies = [{ mention: 'ada', startedAt }];
    const reply = { id: 'r', inReplyToMessageId: 'q', body: 'Here I am.' };
    const seen = Promise.withResolvers<void>();
    const fetch: typeof globalThis.fetch = async (url, init) => {
      const path = new URL(url instanceof Request ? url.url : url).pathname;
      const ok = (data: object) => Response.json({ success: true, data });
      if (init?.method === 'POST') return ok({ ...message, pendingReplies });
      if (path.endsWith('/events')) {
        const other = { ...REPLY, questionId: 'another' };
        return stream(
          sse(
            ['resync', {}],
            ['reply.started', { ...REPLY, seq: 0, text: '' }],
            ['reply.delta', { ...REPLY, seq: 0, text: 'Here' }],
            ['reply.delta', { ...other, seq: 0, text: 'Not this' }],
            ['reply.tools', { ...REPLY, toolCalls: [] }],
            ['reply.restarted', { ...REPLY, seq: 0, text: '' }],
            ['reply.delta', { ...REPLY, seq: 0, text: 'Here I' }],
            ['reply.delta', { ...REPLY, seq: 1, text: '\u2028am.' }],
            ['reply.ended', REPLY],
          ),
          'open',
        );
      }
      if (path.endsWith('/messages')) return ok({ items: [reply], total: 2, hasMore: false });
      await seen.promise;
      return ok({ ...message, pendingReplies: [] });
    };
    const client = new Atrium({ apiKey: `atr_${'a'.repeat(46)}`, fetch });
    const texts: string[] = [];
    const { replies } = await client.messages.postAndWait(
      'space',
      's',
      { body: '@ada are you there?' },
      {
        pollInterval: 1,
        onDelta({ text }) {
          texts.push(text);
          if (text === 'Here I\u2028am.') seen.resolve();
        },
      },
    );
    expect(replies).toEqual([reply]);
    expect(texts).toEqual(['', 'Here', '', 'Here I', 'Here I\u2028am.']);
  });
});

describe('messages.stream', () => {
  it('yields events across connections, until the server refuses', async () => {
    const first = sse(['resync', {}], ['message.created', { messageId: 'm' }]).join('');
    const { client, urls } = clientOf(
      // In the middle of an event and of a character.
      () => stream([first.slice(0, 20), first.slice(20)], 'break'),
      () => stream(sse(['resync', {}], ['reply.delta', { ...REPLY, seq: 0, text: 'Grüße 🎉' }])),
      () => refusal(403, 'FORBIDDEN'),
    );
    const seen: SessionEvent[] = [];
    const reading = (async () => {
      for await (const event of client.messages.stream('space', 's')) seen.push(event);
    })();
    await expect(reading).rejects.toBeInstanceOf(ForbiddenError);
    expect(seen).toEqual([
      { type: 'resync' },
      { type: 'message.created', messageId: 'm' },
      { type: 'resync' },
      { type: 'reply.delta', ...REPLY, seq: 0, text: 'Grüße 🎉' },
    ]);
    expect(new Set(urls)).toEqual(
      new Set(['http://atrium.test/api/spaces/space/sessions/s/events']),
    );
  });

  it('rejects if the first connection is refused', async () => {
    const { client } = clientOf(() => refusal(404, 'NOT_FOUND'));
    const stream = client.messages.stream('space', 's');
    await expect(stream.next()).rejects.toBeInstanceOf(NotFoundError);
  });

  it('ends with the signal, and when the loop is left', async () => {
    const { client } = clientOf(() => stream(sse(['resync', {}]), 'open'));
    const stop = new AbortController();
    const events = client.messages.stream('space', 's', { signal: stop.signal });
    expect((await events.next()).value).toEqual({ type: 'resync' });
    const next = events.next();
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    for await (const event of client.messages.stream('space', 's')) {
      expect(event.type).toBe('resync');
      break;
    }
  });
});
