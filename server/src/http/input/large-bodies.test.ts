import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { countRounds } from '../../../test/harness/counting/count-rounds.ts';
import { paceLargeBodies } from './large-bodies.ts';

const BODY = Buffer.alloc(1_000_000, 'x');

/** A server that notes the turn of the event loop in which each piece of a body arrived, except first pieces. */
async function startServer() {
  const app = Fastify();
  const { rounds, stop } = countRounds();
  const laterPieces: number[] = [];
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  paceLargeBodies(app);
  app.addHook('preParsing', async (_request, _reply, payload) => {
    let isFirst = true;
    payload.on('data', () => {
      if (!isFirst) laterPieces.push(rounds());
      isFirst = false;
    });
  });
  app.post('/', async (received) => (received.body as Buffer).equals(BODY));
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(async () => {
    stop();
    await app.close();
  });
  const { port } = app.server.address() as AddressInfo;
  return { port, laterPieces };
}

async function post(port: number, headers: Record<string, number>): Promise<string> {
  const sent = request({ port, method: 'POST', agent: false, headers });
  sent.end(BODY);
  const [response] = await once(sent, 'response');
  return (await response.toArray()).join('');
}

describe('large bodies', () => {
  it.each([
    ['with a length', { 'content-length': BODY.length }],
    ['in chunks', {}],
  ])(
    'arrive whole, but never two pieces in one turn of the event loop: %s',
    async (_name, headers) => {
      const { port, laterPieces } = await startServer();
      const results = await Promise.all(Array.from({ length: 8 }, () => post(port, headers)));
      expect(new Set(results)).toEqual(new Set(['true']));
      expect(laterPieces.length).toBeGreaterThan(8);
      expect(new Set(laterPieces).size).toBe(laterPieces.length);
    },
  );
});
