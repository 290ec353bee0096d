import { randomUUID } from 'node:crypto';
import { cleanText } from '../../../adapters/models/answer-text.ts';
import type { AnswerWatcher } from '../../../adapters/models/model.ts';
import type { ReplyLine, ReplyPlace, TextLine, ToolProgress } from '../../../bus/reply-lines.ts';
import type { ToolWatcher } from '../tools/tool-progress.ts';

/** Nine a second, so that the last part of an answer can follow at once: ten in all. */
const DELTA_EVERY_MS = 112;
/** Of text in one line, as JSON. The bus carries lines of 7,900 bytes. */
const MOST_BYTES = 6_000;

/** Shows an answer to viewers in all processes while it is written. Nothing of it is stored. */
export interface ReplyFeed extends AnswerWatcher, ToolWatcher {
  /** Sends everything again, for viewers who may have missed some of it. */
  repeat(): void;
  /** Tells viewers that somebody still writes. */
  keepAlive(): void;
  /** Sends what is left now that the answer is complete. */
  flush(): void;
  end(hasLanded: boolean): void;
}

type Tools = Pick<TextLine, 'toolCalls' | 'toolChanges'>;

export function createReplyFeed(place: ReplyPlace, publish: (line: ReplyLine) => void): ReplyFeed {
  let run = randomUUID();
  let shown = '';
  let waiting = '';
  let next = 0;
  let sentAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let toolCalls: readonly ToolProgress[] = [];
  let toolChanges = 0;
  let hasEnded = false;

  function say(at: number, text: string, tools: Tools = { toolChanges }): void {
    // A tool may end after its reply, and viewers would take that for a new one.
    if (hasEnded) return;
    publish({ place, run, at, text, total: shown.length, next, ...tools });
  }

  const sayCalls = () => say(shown.length, '', { toolCalls, toolChanges });

  function send(isLast: boolean): void {
    timer = undefined;
    if (shown === '') waiting = waiting.trimStart();
    const raw = waiting.slice(0, fittingLength(waiting, isLast));
    const text = cleanText(raw);
    waiting = waiting.slice(raw.length);
    if (text === '') return;
    sentAt = performance.now();
    shown += text;
    next++;
    say(shown.length - text.length, text);
    if (waiting !== '' && !isLast) sendSoon();
  }

  function sendSoon(): void {
    const waitMs = sentAt + DELTA_EVERY_MS - performance.now();
    if (waitMs <= 0) return send(false);
    timer ??= setTimeout(() => send(false), waitMs);
  }

  say(0, '');
  return {
    onText(delta) {
      waiting += delta;
      if (!timer) sendSoon();
    },
    onRestart() {
      clearTimeout(timer);
      timer = undefined;
      run = randomUUID();
      shown = '';
      waiting = '';
      next = 0;
      sayCalls();
    },
    onTools(calls) {
      toolCalls = calls;
      toolChanges++;
      sayCalls();
    },
    repeat() {
      let at = 0;
      do {
        const rest = shown.slice(at);
        const part = rest.slice(0, fittingLength(rest, true));
        say(at, part, {});
        at += part.length;
      } while (at < shown.length);
      sayCalls();
    },
    keepAlive: () => say(shown.length, ''),
    flush() {
      clearTimeout(timer);
      send(true);
    },
    end(hasLanded) {
      clearTimeout(timer);
      hasEnded = true;
      publish({ place, run, hasLanded });
    },
  };
}

/** How much of the text fits into a line. Never half a character, unless there is nothing else. */
function fittingLength(text: string, isLast: boolean): number {
  let length = Math.min(text.length, MOST_BYTES - 2);
  while (Buffer.byteLength(JSON.stringify(text.slice(0, length))) > MOST_BYTES) length >>= 1;
  const endsInHalf = /[\ud800-\udbff]/.test(text.charAt(length - 1));
  // The other half may still come.
  return endsInHalf && (length < text.length || !isLast) ? length - 1 : length;
}
