import { expect } from 'vitest';

export interface LiveEvent {
  type: string;
  data: Record<string, string>;
}

export interface EventStream {
  /** All that has come, in order. */
  readonly events: readonly LiveEvent[];
  /** Comments, which a browser does not show. */
  readonly comments: readonly string[];
  headers: Headers;
  /** The first of this type from now on, already here or still to come, that has at least this in it. */
  next(type: string, data?: Record<string, string>): Promise<LiveEvent>;
  nextComment(): Promise<string>;
  /** Forgets what has come. */
  clear(): void;
  /** Settles when the server has ended the stream. */
  closed: Promise<void>;
  close(): void;
}

/** A hint is due within a second. The rest is for a machine that is busy with other tests. */
const DEADLINE_MS = 30_000;

/** Opens a stream as a browser does, and waits for the `resync` that it begins with. */
export async function openEvents(
  origin: string,
  { cookie, org }: { cookie: string; org: string },
): Promise<EventStream> {
  const stopping = new AbortController();
  const response = await fetch(`${origin}/web/events?org=${org}`, {
    headers: { cookie, accept: 'text/event-stream' },
    signal: stopping.signal,
  });
  expect(response.status).toBe(200);
  const events: LiveEvent[] = [];
  const comments: string[] = [];
  const waiting = new Set<() => void>();

  async function read(): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, type, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
        if (type !== undefined) events.push({ type, data: JSON.parse(data ?? '') });
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
  const stream: EventStream = {
    events,
    comments,
    closed,
    headers: response.headers,
    next: (type, data = {}) =>
      until(type, () =>
        events.find(
          (event) =>
            event.type === type &&
            Object.entries(data).every(([name, value]) => event.data[name] === value),
        ),
      ),
    nextComment: () => until('comment', () => comments.at(-1)),
    clear() {
      events.length = 0;
      comments.length = 0;
    },
    close: () => stopping.abort(),
  };
  await stream.next('resync');
  stream.clear();
  return stream;
}
