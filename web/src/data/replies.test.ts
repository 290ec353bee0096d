import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReplies, type PartialReply, type ReplyEvent } from './replies.ts';

function createShown() {
  let next: (() => void) | undefined;
  let renders = 0;
  const replies = createReplies((run) => (next = run));
  replies.subscribe(() => renders++);
  const nextFrame = () => {
    const run = next;
    next = undefined;
    run?.();
  };
  return { replies, nextFrame, count: () => renders };
}

const REPLY = { questionId: 'q', mention: 'ada' };
const started = (text = '', seq = 0): ReplyEvent => ({
  ...REPLY,
  type: 'reply.started',
  seq,
  text,
});
const delta = (seq: number, text: string): ReplyEvent => ({
  ...REPLY,
  type: 'reply.delta',
  seq,
  text,
});

describe('a reply that is being written', () => {
  it('is shown once per frame, however many deltas arrive', () => {
    const { replies, nextFrame, count } = createShown();
    replies.follow(started());
    for (let seq = 0; seq < 2_000; seq++) replies.follow(delta(seq, 'ten chars '));
    expect(replies.find('q', 'ada')).toBeUndefined();
    nextFrame();
    expect(count()).toBe(1);
    expect(replies.find('q', 'ada')?.text).toHaveLength(20_000);
    nextFrame();
    expect(count()).toBe(1);
  });

  it('stays when it has ended, until its message is listed, but not for ever', () => {
    const { replies, nextFrame } = createShown();
    for (let at = 0; at < 30; at++) {
      const reply = { questionId: `q${at}`, mention: 'ada' };
      replies.follow({ ...reply, type: 'reply.started', seq: 3, text: 'Done' });
      replies.follow({ ...reply, type: 'reply.ended' });
    }
    nextFrame();
    expect(replies.find('q29', 'ada')).toEqual({ text: 'Done', toolCalls: [], isWriting: false });
    expect(replies.find('q10', 'ada')).toBeDefined();
    expect(replies.find('q9', 'ada')).toBeUndefined();
  });

  it('stays through one lost connection, and is forgotten if the server never names it again', () => {
    const { replies, nextFrame } = createShown();
    replies.follow(started('So far', 4));
    replies.resync();
    replies.follow(delta(8, 'missed some'));
    nextFrame();
    expect(replies.find('q', 'ada')?.text).toBe('So far');
    replies.follow(started('So far, so', 9));
    replies.resync();
    replies.follow(delta(9, ' good'));
    replies.resync();
    nextFrame();
    expect(replies.find('q', 'ada')?.text).toBe('So far, so good');
    replies.resync();
    nextFrame();
    expect(replies.find('q', 'ada')).toBeUndefined();
  });
});

type Step = ReplyEvent | 'resync' | 'frame';

const call = fc.record({
  server: fc.constant('wiki'),
  name: fc.constantFrom('find', 'read'),
  state: fc.constant('started' as const),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ type: fc.constant('reply.delta' as const), ...named() }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('reply.started' as const), ...named() }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('reply.restarted' as const), ...named() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('reply.tools' as const),
      ...who(),
      toolCalls: fc.array(call, { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reply.ended' as const), ...who() }) },
  { weight: 1, arbitrary: fc.constant('resync' as const) },
  { weight: 4, arbitrary: fc.constant('frame' as const) },
);

function who() {
  return { questionId: fc.constantFrom('q', 'p'), mention: fc.constantFrom('ada', 'model') };
}

function named() {
  return { ...who(), seq: fc.nat(4), text: fc.string({ maxLength: 3 }) };
}

/** Reads everything that ever happened, each time. */
function expected(
  steps: readonly Step[],
  questionId: string,
  mention: string,
): PartialReply | undefined {
  const isMine = (one: Step) =>
    typeof one === 'string' || (one.questionId === questionId && one.mention === mention);
  const mine = steps.filter((one) => one !== 'frame' && isMine(one));
  const from = mine.findLastIndex((one) => typeof one === 'object' && /started/.test(one.type));
  const begin = mine[from];
  if (typeof begin !== 'object' || !('text' in begin)) return undefined;
  const rest = mine.slice(from + 1);
  let { text, seq: next } = begin;
  let toolCalls: PartialReply['toolCalls'] = [];
  let hasEnded = false;
  let isLost = false;
  let resyncs = 0;
  for (const one of rest) {
    if (one === 'resync' && ++resyncs > 1) return undefined;
    if (typeof one !== 'object') continue;
    if (one.type === 'reply.ended') isLost = hasEnded = true;
    if (one.type === 'reply.tools' && !hasEnded) toolCalls = one.toolCalls;
    if (one.type !== 'reply.delta' || one.seq < next || isLost) continue;
    isLost = one.seq > next;
    if (isLost) continue;
    text += one.text;
    next++;
    resyncs = 0;
  }
  return { text, toolCalls, isWriting: !hasEnded };
}

describe('whatever arrives, in any order', () => {
  it('shows the text without a gap, as of the last frame', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { replies, nextFrame } = createShown();
        let frame = 0;
        for (const [at, one] of steps.entries()) {
          if (one === 'frame') {
            nextFrame();
            frame = at;
          } else if (one === 'resync') replies.resync();
          else replies.follow(one);
          for (const questionId of ['q', 'p']) {
            for (const mention of ['ada', 'model']) {
              expect(replies.find(questionId, mention)).toEqual(
                expected(steps.slice(0, frame), questionId, mention),
              );
            }
          }
        }
        // A tab that opens now hears the same from then on.
        const other = createShown();
        for (const event of replies.list()) other.replies.follow(event);
        const deltas = [1, 2, 3, 4, 5].map((seq) => delta(seq, String(seq)));
        for (const event of deltas) {
          if (other.replies.list().length === 0) break;
          replies.follow(event);
          other.replies.follow(event);
        }
        nextFrame();
        other.nextFrame();
        const found = other.replies.find('q', 'ada');
        if (found) expect(found).toEqual(replies.find('q', 'ada'));
      }),
      { numRuns: 200 },
    );
  });
});
