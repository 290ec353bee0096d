import { expect } from 'vitest';
import type { TestServer } from '../processes/server.ts';
import { signIn } from './browser.ts';

export interface LiveEvent {
  type: string;
  data: Record<string, string>;
}

export interface EventStream {
  /** Events that arrived and were not taken, in order. Without who is there, which comes when it comes. */
  readonly events: readonly LiveEvent[];
  headers: Headers;
  /**
   * Takes the first event of this type with at least these fields, or waits for it. Other events stay: two
   * may arrive at once, before the test reads them.
   */
  next(type: string, data?: Record<string, string>): Promise<LiveEvent>;
  /** Takes such an event, and returns all events before it. */
  takeUntil(type: string, data?: Record<string, string>): Promise<LiveEvent[]>;
  /** Comments, which a browser does not show. */
  nextComment(): Promise<string>;
  /** Settles when the server has ended the stream. */
  closed: Promise<void>;
  close(): void;
}

/** A hint should arrive within a second. The rest is for a machine that is busy with other tests. */
const DEADLINE_MS = 30_000;

/** Opens a stream like a browser, and waits for the first event, `resync`. */
export function openEvents(
  origin: string,
  { cookie, org }: { cookie: string; org: string },
): Promise<EventStream> {
  return readEvents(`${origin}/web/events?org=${org}`, { cookie });
}

/** The same, signed in as this person. */
export async function openEventsOf(
  server: Pick<TestServer, 'origin' | 'db'>,
  { email }: { email: string },
  { orgId }: { orgId: string },
): Promise<EventStream> {
  const { cookie } = await signIn(server, email);
  return openEvents(server.origin, { cookie, org: orgId });
}

/** The events of one session, with a key. */
export function openSessionEvents(
  origin: string,
  { path, key }: { path: string; key: string },
): Promise<EventStream> {
  return readEvents(`${origin}${path}/events`, { authorization: `Bearer ${key}` });
}

async function readEvents(url: string, caller: Record<string, string>): Promise<EventStream> {
  const stopping = new AbortController();
  const response = await fetch(url, {
    headers: { ...caller, accept: 'text/event-stream' },
    signal: stopping.signal,
  });
  expect(response.status).toBe(200);
  const events: LiveEvent[] = [];
  const presence: LiveEvent[] = [];
  const comments: string[] = [];
  const waiting = new Set<() => void>();

  const listOf = (type: string) => (type === 'people.presence' ? presence : events);

  async function read(): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, type, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
        if (type !== undefined) listOf(type).push({ type, data: JSON.parse(data ?? '') });
        else comments.push(block);
      }
      for (const look of waiting) look();
    }
  }

  function until<T>(what: string, find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        waiting.delete(look);
      };
      const look = () => {
        const found = find();
        if (found === undefined) return;
        done();
        resolve(found);
      };
      const timer = setTimeout(() => {
        done();
        reject(new Error(`no ${what} came; there were ${JSON.stringify(events)}`));
      }, DEADLINE_MS);
      waiting.add(look);
      look();
    });
  }

  const closed = read().catch((error: unknown) => {
    if (!stopping.signal.aborted && !(error instanceof TypeError)) throw error;
  });
  function find(type: string, data: Record<string, string> = {}): number | undefined {
    const at = listOf(type).findIndex(
      (event) =>
        event.type === type &&
        Object.entries(data).every(([name, value]) => event.data[name] === value),
    );
    return at === -1 ? undefined : at;
  }
  const stream: EventStream = {
    events,
    closed,
    headers: response.headers,
    next: (type, data) =>
      until(type, () => {
        const at = find(type, data);
        return at === undefined ? undefined : listOf(type).splice(at, 1)[0];
      }),
    takeUntil: (type, data) =>
      until(type, () => {
        const at = find(type, data);
        return at === undefined ? undefined : events.splice(0, at + 1).slice(0, -1);
      }),
    nextComment: () => until('comment', () => comments.shift()),
    close: () => stopping.abort(),
  };
  await stream.next('resync');
  return stream;
}
