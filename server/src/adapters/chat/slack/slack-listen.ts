import { createDeliveries } from '../deliveries.ts';
import { reasonOf } from '../failures.ts';
import type { ChatGuard } from '../guard.ts';
import { ChatFailure, type ChatStream } from '../provider.ts';
import { clientOptions, explainSlack, SILENT } from './slack-call.ts';
import { readSlackEvent } from './slack-events.ts';

const HELLO_MS = 15_000;
const PONG_MS = 10_000;
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

interface Envelope {
  type: string;
  body: unknown;
  ack: () => Promise<void>;
}

/** Socket Mode: returns once Slack has said hello. */
export async function listenToSlack(
  appToken: string,
  guard: ChatGuard,
  signal: AbortSignal,
): Promise<ChatStream> {
  if (signal.aborted) throw reasonOf(signal);
  const { SocketModeClient } = await import('@slack/socket-mode');
  const leaving = new AbortController();
  const stop = AbortSignal.any([signal, leaving.signal]);
  const deliveries = createDeliveries(() => leaving.abort());
  const client = new SocketModeClient({
    appToken,
    logger: SILENT,
    // The caller connects again, and knows what was missed.
    autoReconnectEnabled: false,
    clientPingTimeout: PONG_MS,
    clientOptions: clientOptions(guard, stop),
    // The connection is cut by the signal: the library waits for the other side to say goodbye.
    dispatcher: guard.safeFetch.socketDispatcher(stop, MAX_MESSAGE_BYTES),
  });
  let failure: unknown;
  client.on('error', (error: unknown) => {
    failure = error;
  });
  client.on('disconnected', () =>
    deliveries.end(failure ? explainSlack(failure, signal) : undefined),
  );
  client.on('slack_event', ({ type, body, ack }: Envelope) => {
    const acknowledge = () => void ack().catch(() => {});
    const read = type === 'events_api' ? readSlackEvent(body) : undefined;
    deliveries.push(read?.kind === 'events' ? read.events : [], acknowledge);
  });
  signal.addEventListener('abort', () => deliveries.end(), { signal: leaving.signal });
  await untilHello(client.start(), leaving, signal);
  return deliveries.stream;
}

async function untilHello(
  starting: Promise<unknown>,
  leaving: AbortController,
  signal: AbortSignal,
): Promise<void> {
  const late = Promise.withResolvers<never>();
  const give = () => late.reject(new ChatFailure('temporary', 'Slack did not greet us in time'));
  const timer = setTimeout(give, HELLO_MS);
  const onAbort = () => late.reject(reasonOf(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([starting, late.promise]);
  } catch (error) {
    starting.catch(() => {});
    leaving.abort();
    if (error instanceof ChatFailure) throw error;
    // The library rejects with nothing if the connection closes first.
    throw error === undefined && !signal.aborted
      ? new ChatFailure('temporary', 'Slack closed the connection')
      : explainSlack(error, signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
