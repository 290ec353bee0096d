import {
  keyOf,
  type ReplyLines,
  type ReplyPlace,
  type TextLine,
  type ToolProgress,
} from './reply-lines.ts';

/** What has been written of a reply, as known here. */
export interface ShownReply {
  place: ReplyPlace;
  run: string;
  text: string;
  /** The number of the delta that follows. */
  seq: number;
  toolCalls: readonly ToolProgress[];
  /** How often they have changed. */
  toolChanges: number;
}

export interface ReplyEvent extends ShownReply {
  type: 'reply.started' | 'reply.delta' | 'reply.tools' | 'reply.restarted' | 'reply.ended';
}

/** The replies that are being written now, in any process. */
export interface ReplyBoard {
  list(orgId: string): ShownReply[];
  find(place: ReplyPlace): ShownReply | undefined;
  close(): void;
}

interface Entry extends ShownReply {
  /** False while the text that was written before this process listened is still arriving. */
  isWhole: boolean;
  heardAt: number;
}

const NOTHING = { text: '', seq: 0, toolCalls: [], toolChanges: 0 };
/** Whoever writes a reply is heard of every two seconds, or has died. */
const FORGET_AFTER_MS = 7_000;
const SWEEP_EVERY_MS = 1_000;
const ASK_EVERY_MS = 1_000;

/**
 * Puts together what writers say. Lines may be lost, so a hole in a text makes it ask the writers to repeat
 * what they have. A reply whose writer has died is forgotten, and shown again when another run writes it.
 */
export function createReplyBoard(
  lines: ReplyLines,
  onEvent: (event: ReplyEvent) => void,
): ReplyBoard {
  const entries = new Map<string, Entry>();
  let askedAt = -Infinity;

  const tell = (
    type: ReplyEvent['type'],
    { place, run, text, seq, toolCalls, toolChanges }: ShownReply,
  ) => onEvent({ type, place, run, text, seq, toolCalls, toolChanges });

  function ask(): void {
    if (performance.now() - askedAt < ASK_EVERY_MS) return;
    askedAt = performance.now();
    lines.publish({ isAsking: true });
  }

  /** A run that is not known here. What it has written before this line follows, if anything. */
  function begin(line: TextLine, known: Entry | undefined): Entry | undefined {
    if (line.at > 0) {
      ask();
      return undefined;
    }
    const { place, run, total } = line;
    const entry = { ...NOTHING, place, run, isWhole: total === 0, heardAt: 0 };
    entries.set(keyOf(place), entry);
    if (known?.isWhole) tell('reply.restarted', entry);
    else if (entry.isWhole) tell('reply.started', entry);
    return entry;
  }

  function add(line: TextLine): void {
    const known = entries.get(keyOf(line.place));
    const entry = known?.run === line.run ? known : begin(line, known);
    if (!entry) return;
    entry.heardAt = performance.now();
    const length = entry.text.length;
    if (line.at > length) return ask();
    addCalls(entry, line);
    const text = line.text.slice(length - line.at);
    if (text === '') return;
    entry.text += text;
    const isDelta = entry.isWhole && line.at === length && line.next === entry.seq + 1;
    if (isDelta) {
      tell('reply.delta', { ...entry, text });
      entry.seq = line.next;
      return;
    }
    entry.seq = line.next;
    entry.isWhole = entry.text.length >= line.total;
    if (entry.isWhole) tell('reply.started', entry);
  }

  function addCalls(entry: Entry, { toolCalls, toolChanges = 0 }: TextLine): void {
    if (toolChanges <= entry.toolChanges) return;
    if (!toolCalls) return ask();
    Object.assign(entry, { toolCalls, toolChanges });
    if (entry.isWhole) tell('reply.tools', entry);
  }

  function forget(entry: Entry, type: 'reply.ended' | 'reply.restarted'): void {
    entries.delete(keyOf(entry.place));
    tell(type, { ...entry, ...NOTHING });
  }

  const stops = [
    lines.listen((line) => {
      if ('total' in line) add(line);
      if (!('hasLanded' in line)) return;
      const entry = entries.get(keyOf(line.place));
      if (entry?.run === line.run)
        forget(entry, line.hasLanded ? 'reply.ended' : 'reply.restarted');
      else if (line.hasLanded) tell('reply.ended', { ...line, ...NOTHING });
    }),
    lines.onGap(() => {
      askedAt = -Infinity;
      ask();
    }),
  ];
  const sweep = setInterval(() => {
    const oldest = performance.now() - FORGET_AFTER_MS;
    for (const entry of entries.values()) {
      if (entry.heardAt < oldest) forget(entry, 'reply.restarted');
    }
  }, SWEEP_EVERY_MS).unref();
  ask();

  return {
    list: (orgId) =>
      [...entries.values()].filter(({ place, isWhole }) => isWhole && place.orgId === orgId),
    find(place) {
      const entry = entries.get(keyOf(place));
      return entry?.isWhole ? entry : undefined;
    },
    close() {
      for (const stop of stops) stop();
      clearInterval(sweep);
    },
  };
}
