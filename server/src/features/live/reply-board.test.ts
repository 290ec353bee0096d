import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLocalBus } from '../../bus/local-bus.ts';
import { createReplyLines, type ReplyLine, type ToolProgress } from '../../bus/reply-lines.ts';
import { createReplyFeed } from '../agents/answering/reply-feed.ts';
import { replyEventFor, type Cursors } from './event-stream.ts';
import { createReplyBoard } from '../../bus/reply-board.ts';

const PLACE = {
  orgId: 'org',
  projectId: 'project',
  sessionId: 'session',
  questionId: 'question',
  mention: 'ada',
};

interface Page {
  text: string;
  seq: number;
  toolCalls: readonly ToolProgress[];
}

/** A writer in one process, and a page of another one, joined by a wire that the test controls. */
function createWorld(carry: (line: ReplyLine) => boolean = () => true) {
  const here = createReplyLines(createLocalBus());
  const there = createLocalBus();
  const lines = createReplyLines(there);
  const cursors: Cursors = new Map();
  const page: Partial<Page> & { seq: number; isEnded: boolean } = { seq: -1, isEnded: false };
  const board = createReplyBoard(lines, (event) => {
    for (const block of replyEventFor(event, cursors, board).split('\n\n')) see(block);
  });
  function see(block: string): void {
    const [, type, json] = /^event: (.*)\ndata: (.*)$/s.exec(block) ?? [];
    if (type === undefined) return;
    const { text, seq, toolCalls } = JSON.parse(json ?? '') as Page;
    if (type === 'reply.ended') page.isEnded = true;
    else if (type === 'reply.tools') page.toolCalls = toolCalls;
    else if (type === 'reply.delta') {
      expect(seq).toBe(page.seq++);
      page.text += text;
    } else Object.assign(page, { text, seq, toolCalls: [] });
  }
  const sent: ReplyLine[] = [];
  here.listen((line) => {
    sent.push(line);
    if (carry(line)) lines.publish(line);
  });
  const feed = createReplyFeed(PLACE, (line) => here.publish(line));
  return { feed, page, board, sent, lines, gap: () => there.gap() };
}

describe('a page in another process', () => {
  it('sees each part of a reply, and none is longer than the bus carries', () => {
    const { feed, page, sent } = createWorld();
    const text = '\u0001"é🙂\n'.repeat(4000);
    for (let at = 0; at < text.length; at += 7) feed.onText(text.slice(at, at + 7));
    while (page.text?.length !== text.length) feed.flush();
    expect(page.text === text.trimStart()).toBe(true);
    for (const line of sent) expect(Buffer.byteLength(JSON.stringify(line))).toBeLessThan(7_800);
    feed.end(true);
    expect(page.isEnded).toBe(true);
  });

  it('that comes late sees everything, once the writer has repeated it', () => {
    const world = createWorld(() => false);
    world.feed.onText('x'.repeat(15_000));
    for (let at = 0; at < 5; at++) world.feed.flush();
    expect(world.page.text).toBeUndefined();
    const before = world.sent.length;
    world.feed.repeat();
    for (const line of world.sent.slice(before)) world.lines.publish(line);
    expect(world.page).toMatchObject({ text: 'x'.repeat(15_000), seq: 3 });
  });

  it('is shown the new text, and nothing of the old one, after a restart', () => {
    const { feed, page } = createWorld();
    feed.onText('old');
    feed.onRestart();
    expect(page).toMatchObject({ text: '', seq: 0 });
    feed.onText('new');
    feed.flush();
    expect(page.text).toBe('new');
  });

  it('sees calls of tools start and end, also after the text starts over, but none of an ended reply', () => {
    const { feed, page, sent } = createWorld();
    const call = { server: 'wiki', name: '\u0001'.repeat(100) };
    const started = Array.from({ length: 8 }, () => ({ ...call, state: 'started' as const }));
    feed.onTools(started);
    expect(page.toolCalls).toEqual(started);
    const [, ...others] = started;
    const ended = { ...call, state: 'ended' as const, isError: false, latencyMs: 12_000 };
    feed.onTools([ended, ...others]);
    feed.onText('Found it.');
    feed.onRestart();
    expect(page).toMatchObject({ text: '', toolCalls: [ended, ...others] });
    for (const line of sent) expect(Buffer.byteLength(JSON.stringify(line))).toBeLessThan(7_800);
    feed.end(true);
    const before = sent.length;
    feed.onTools([ended]);
    expect(sent).toHaveLength(before);
  });

  it('is shown nothing while another run has not begun', () => {
    const { feed, page, board } = createWorld();
    feed.onText('lost');
    feed.end(false);
    expect(page).toMatchObject({ text: '', isEnded: false });
    expect(board.list('org')).toEqual([]);
  });

  it('sees exactly what was written, whatever is lost, repeated or started over on the way', () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
      { weight: 1, arbitrary: fc.constant({ restart: true }) },
      { weight: 1, arbitrary: fc.constant({ repeat: true }) },
      { weight: 2, arbitrary: fc.record({ name: fc.string({ maxLength: 3 }) }) },
    );
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30 }),
        fc.infiniteStream(fc.nat(3)),
        (steps, fate) => {
          let isReliable = false;
          const world = createWorld(() => isReliable || fate.next().value !== 0);
          let text = '';
          const calls: ToolProgress[] = [];
          for (const each of steps) {
            if (typeof each === 'string') {
              world.feed.onText(each);
              world.feed.flush();
              text += each;
            } else if ('restart' in each) {
              world.feed.onRestart();
              text = '';
            } else if ('name' in each) {
              calls.push({ server: 'wiki', name: each.name, state: 'started' });
              world.feed.onTools([...calls]);
            } else world.feed.repeat();
          }
          isReliable = true;
          world.feed.repeat();
          expect(world.page.text).toBe(text.trimStart().replaceAll('\0', ''));
          expect(world.page.toolCalls).toEqual(calls);
          world.feed.end(true);
          world.board.close();
        },
      ),
      { numRuns: 300 },
    );
  });
});
