import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { CutShort, readBody, type BodyReader } from './body.ts';

interface Opened {
  body: BodyReader;
  request: IncomingMessage;
  socket: Socket;
}

/** A request of a gigabyte, of which nothing has been sent. */
async function open(stalledMs = 60_000, check: () => Promise<void> = async () => {}) {
  const opened = Promise.withResolvers<Opened>();
  const server = createServer((request) => {
    opened.resolve({ body: readBody(request, { stalledMs, check }), request, socket });
  });
  server.listen(0);
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port);
  socket.on('error', () => {});
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  socket.write(`PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: ${1024 ** 3}\r\n\r\n`);
  return opened.promise;
}

async function readAll({ source }: BodyReader): Promise<number> {
  let bytes = 0;
  for await (const chunk of source) bytes += chunk.length;
  return bytes;
}

it('takes no more from a sender than is read', async () => {
  const { body, request, socket } = await open();
  const piece = Buffer.alloc(1024 ** 2);
  for (let sent = 0; sent < 200; sent++) socket.write(piece);
  const iterator = body.source[Symbol.asyncIterator]();
  await iterator.next();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(request.socket.bytesRead).toBeLessThan(4 * 1024 ** 2);
});

it('ends when nothing comes, and says so', async () => {
  const { body, socket } = await open(50);
  socket.write('some');
  await expect(readAll(body)).rejects.toThrow('nothing was sent');
  expect(body.isComplete()).toBe(false);
});

it('ends when the sender goes', async () => {
  const { body, socket } = await open();
  socket.write('some');
  setTimeout(() => socket.destroy(), 50);
  await expect(readAll(body)).rejects.toThrow(CutShort);
  expect(body.problem()).toBeInstanceOf(CutShort);
});

it('ends when the sender may no longer send', async () => {
  const { body, socket } = await open(60_000, async () => {
    throw new Error('revoked');
  });
  socket.write('some');
  await expect(readAll(body)).rejects.toThrow('revoked');
});
