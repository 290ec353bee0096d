import type { Queryable } from '../db/types.ts';
import type { Bus } from './bus.ts';

/** One mention of one question. */
export interface ReplyKey {
  orgId: string;
  questionId: string;
  mention: string;
}

/** A reply that is being written, and where it is shown. */
export interface ReplyPlace extends ReplyKey {
  projectId: string;
  sessionId: string;
}

/** A call of a tool, as far as viewers see it before the reply lands. */
export type ToolProgress = { server: string; name: string } & (
  | { state: 'started' }
  | { state: 'ended'; isError: boolean; latencyMs: number }
);

/** A part of what a run has written. Lines may be lost or repeated, so each says where its text belongs. */
export interface TextLine {
  place: ReplyPlace;
  /** A new one for each run, and each time that a run starts over. */
  run: string;
  /** The position of `text` in what the run has written, whose length is `total`. */
  at: number;
  text: string;
  total: number;
  /** The number of the delta that follows. */
  next: number;
  /** How often calls of tools have started or ended. A process of an older version says neither this nor the calls. */
  toolChanges?: number;
  /** All calls, in a line that tells of a change. */
  toolCalls?: readonly ToolProgress[];
}

export interface EndLine {
  place: ReplyPlace;
  run: string;
  /** Whether there is a reply now. If not, another run will write it. */
  hasLanded: boolean;
}

/** `isAsking`: someone may have missed lines, so that every writer repeats what it has written. */
export type ReplyLine = TextLine | EndLine | { stop: ReplyKey } | { isAsking: true };

/** What writers and viewers of replies tell each other, in all processes. */
export interface ReplyLines {
  publish(line: ReplyLine): void;
  /** After the commit. */
  requestStop(source: { db: Queryable }, key: ReplyKey): void;
  /** Returns a function that stops listening. */
  listen(listener: (line: ReplyLine) => void): () => void;
  /** Calls the listener when lines may have been missed. */
  onGap(listener: () => void): () => void;
}

export function createReplyLines(bus: Bus): ReplyLines {
  const publish = (line: ReplyLine) => bus.publish('replies', JSON.stringify(line));
  return {
    publish,
    requestStop: ({ db }, { orgId, questionId, mention }) =>
      db.afterCommit(() => publish({ stop: { orgId, questionId, mention } })),
    listen: (listener) =>
      bus.subscribe('replies', (text) => listener(JSON.parse(text) as ReplyLine)),
    onGap: (listener) => bus.onGap(listener),
  };
}

export function keyOf({ orgId, questionId, mention }: ReplyKey): string {
  return `${orgId} ${questionId} ${mention}`;
}
