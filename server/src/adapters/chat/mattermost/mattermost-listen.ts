import { WebSocket, type MessageEvent } from 'undici';
import { createDeliveries } from '../deliveries.ts';
import { explainCall, reasonOf } from '../failures.ts';
import type { ChatGuard } from '../guard.ts';
import { ChatFailure, type ChatStream } from '../provider.ts';
import { readMattermostEvent, type MattermostFrame } from './mattermost-events.ts';
import type { MattermostSelf } from './mattermost-post.ts';
import { parseObject } from './parse-object.ts';

const HELLO_MS = 15_000;
const PING_MS = 10_000;
const SILENCE_MS = 30_000;
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Returns once Mattermost has said hello. */
export async function listenToMattermost(
  self: MattermostSelf,
  token: string,
  guard: ChatGuard,
  signal: AbortSignal,
): Promise<ChatStream> {
  if (signal.aborted) throw reasonOf(signal);
  const leaving = new AbortController();
  const stop = AbortSignal.any([signal, leaving.signal]);
  const hello = Promise.withResolvers<void>();
  const deliveries = createDeliveries(() => leaving.abort());
  const origin = self.baseUrl.replace(/^https:/, 'wss:');
  const socket = new WebSocket(`${origin}/api/v4/websocket`, {
    dispatcher: guard.safeFetch.socketDispatcher(stop, MAX_MESSAGE_BYTES),
  });

  function fail(failure: Error): void {
    hello.reject(failure);
    deliveries.end(failure);
  }

  let requests = 0;
  const send = (action: string, data: object = {}) => {
    requests += 1;
    socket.send(JSON.stringify({ seq: requests, action, data }));
  };
  let lastHeardAt = Date.now();
  const watch = setInterval(() => {
    if (Date.now() - lastHeardAt > SILENCE_MS) {
      fail(new ChatFailure('temporary', 'Mattermost stopped answering'));
    } else if (socket.readyState === WebSocket.OPEN) send('ping');
  }, PING_MS);
  watch.unref();
  const greeting = setTimeout(() => {
    fail(new ChatFailure('temporary', 'Mattermost did not greet us in time'));
  }, HELLO_MS);
  leaving.signal.addEventListener('abort', () => {
    clearInterval(watch);
    clearTimeout(greeting);
  });
  signal.addEventListener(
    'abort',
    () => {
      hello.reject(reasonOf(signal));
      deliveries.end();
    },
    { signal: leaving.signal },
  );

  let expected = 0;
  socket.addEventListener('open', () => send('authentication_challenge', { token }));
  socket.addEventListener('error', ({ error }) => fail(explainCall(error, signal)));
  socket.addEventListener('close', () => {
    fail(new ChatFailure('temporary', 'Mattermost closed the connection'));
  });
  socket.addEventListener('message', ({ data }: MessageEvent) => {
    lastHeardAt = Date.now();
    const frame: MattermostFrame | undefined = parseObject(data);
    if (frame?.event === undefined) return;
    if (frame.seq !== undefined && frame.seq !== expected) {
      fail(new ChatFailure('temporary', 'Mattermost left out events'));
      return;
    }
    expected += 1;
    if (frame.event === 'hello') {
      clearTimeout(greeting);
      hello.resolve();
    }
    const event = readMattermostEvent(frame, self);
    if (event) deliveries.push([event]);
  });

  await hello.promise;
  return deliveries.stream;
}
