import { Atrium, type SessionEvent } from '../sdk-js/src/index.ts';

export interface Room {
  origin: string;
  key: string;
  slug: string;
  sessionId: string;
}

/** What one open page sees of a session's replies. */
export interface Viewer {
  deltas: number;
  /** Deltas that were missing, repeated or in the wrong place. */
  faults: string[];
  /** When the first delta of each question's reply came, by process.hrtime. */
  firstDeltaAt: Map<string, bigint>;
  /** The questions whose reply has ended, with the text seen until then. */
  ended: Map<string, string>;
  reconnect(): Promise<void>;
  close(): void;
}

export function clientOf({ origin, key }: Pick<Room, 'origin' | 'key'>): Atrium {
  return new Atrium({ apiKey: key, baseURL: `${origin}/api` });
}

/** Resolves when the stream is open. `wholeText` is what every reply says in the end. */
export async function openViewer(room: Room, wholeText: string): Promise<Viewer> {
  let stopping = new AbortController();
  const client = clientOf(room);
  const shown = new Map<string, { text: string; seq: number }>();
  const viewer: Viewer = {
    deltas: 0,
    faults: [],
    firstDeltaAt: new Map(),
    ended: new Map(),
    async reconnect() {
      stopping.abort();
      stopping = new AbortController();
      shown.clear();
      await connect(stopping.signal);
    },
    close: () => stopping.abort(),
  };

  async function connect(signal: AbortSignal): Promise<void> {
    const events = client.messages.stream(room.slug, room.sessionId, { signal });
    await events.next();
    const read = async () => {
      for await (const event of events) see(event);
    };
    read().catch((error: unknown) => {
      if (!signal.aborted) viewer.faults.push(String(error));
    });
  }

  function see(event: SessionEvent): void {
    if (event.type === 'reply.ended') {
      viewer.ended.set(event.questionId, shown.get(event.questionId)?.text ?? '');
      return;
    }
    if (event.type === 'reply.started' || event.type === 'reply.restarted') {
      const { questionId, text, seq } = event;
      shown.set(questionId, { text, seq });
      if (!wholeText.startsWith(text)) viewer.faults.push(`another text: ${text}`);
    }
    if (event.type === 'reply.delta') add(event);
  }

  function add({ questionId, seq, text }: Extract<SessionEvent, { type: 'reply.delta' }>): void {
    viewer.deltas++;
    if (!viewer.firstDeltaAt.has(questionId)) {
      viewer.firstDeltaAt.set(questionId, process.hrtime.bigint());
    }
    const reply = shown.get(questionId);
    if (reply?.seq !== seq) viewer.faults.push(`delta ${seq} instead of ${reply?.seq}`);
    shown.set(questionId, { text: (reply?.text ?? '') + text, seq: seq + 1 });
  }

  await connect(stopping.signal);
  return viewer;
}
