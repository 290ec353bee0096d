import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { sendContent } from './send-content.ts';

const PIECE = Buffer.alloc(256 * 1024);

/** A file of a gigabyte, and a client that asks for it. */
async function serve(check: () => Promise<void> = async () => {}) {
  const given = { bytes: 0, isClosed: false };
  const app = fastify();
  app.get('/', (request, reply) =>
    sendContent(
      request,
      reply,
      {
        name: 'large',
        mediaType: 'text/plain',
        size: 1024 ** 3,
        etag: '"x"',
        isInline: false,
        async open() {
          return (async function* () {
            try {
              for (; given.bytes < 1024 ** 3; given.bytes += PIECE.length) yield PIECE;
            } finally {
              given.isClosed = true;
            }
          })();
        },
      },
      { now: new Date(), check, log: pino({ level: 'silent' }) },
    ),
  );
  await app.listen();
  onTestFinished(() => app.close());
  const socket = connect((app.server.address() as AddressInfo).port);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return { given, socket };
}

it('reads no more of a file than somebody takes, and closes it when they go', async () => {
  const { given, socket } = await serve();
  // Only what fits into buffers is read: the client takes nothing.
  let before = -1;
  while (before !== given.bytes || given.bytes === 0) {
    before = given.bytes;
    for (let turn = 0; turn < 2_000; turn++) await setImmediate();
  }
  expect(given.bytes).toBeLessThan(32 * 1024 ** 2);
  socket.destroy();
  await expect.poll(() => given.isClosed).toBe(true);
});

it('ends when the right to read it does', async () => {
  let pieces = 0;
  const { given, socket } = await serve(async () => {
    if (++pieces > 20) throw new Error('the key was revoked');
  });
  let received = 0;
  socket.on('data', (chunk) => (received += chunk.length));
  await once(socket, 'close');
  expect(given.isClosed).toBe(true);
  expect(received).toBeLessThan(21 * PIECE.length);
});
