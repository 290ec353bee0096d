import { randomUUID } from 'node:crypto';
import { cleanText } from '../../adapters/models/answer-text.ts';
import type { AnswerWatcher } from '../../adapters/models/model.ts';
import type { ReplyLine, ReplyPlace } from '../../bus/reply-lines.ts';

/** Nine a second, so that the last part of an answer can follow at once: ten in all. */
const DELTA_EVERY_MS = 112;
/** Of text in one line, as JSON. The bus carries lines of 7,900 bytes. */
const MOST_BYTES = 6_000;

/** Shows an answer to viewers in all processes while it is written. Nothing of it is stored. */
export interface Draft extends AnswerWatcher {
  /** Sends everything again, for viewers who may have missed some of it. */
  repeat(): void;
  /** Tells viewers that somebody still writes. */
  keepAlive(): void;
  /** Sends what is left now that the answer is complete. */
  flush(): void;
  end(hasLanded: boolean): void;
}

export function createDraft(place: ReplyPlace, publish: (line: ReplyLine) => void): Draft {
  let run = randomUUID();
  let shown = '';
  let waiting = '';
  let next = 0;
  let sentAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const say = (at: number, text: string) =>
    publish({ place, run, at, text, total: shown.length, next });

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
      say(0, '');
    },
    repeat() {
      let at = 0;
      do {
        const rest = shown.slice(at);
        const part = rest.slice(0, fittingLength(rest, true));
        say(at, part);
        at += part.length;
      } while (at < shown.length);
    },
    keepAlive: () => say(shown.length, ''),
    flush() {
      clearTimeout(timer);
      send(true);
    },
    end(hasLanded) {
      clearTimeout(timer);
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
