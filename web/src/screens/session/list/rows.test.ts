import type { Message } from '@atrium/sdk';
import { describe, expect, it } from 'vitest';
import { buildRows, findOwnReplies, findUnreadFrom, listAnswering } from './rows.ts';

const NOON = new Date(2027, 2, 9, 12).getTime();

function message(id: string, changes: Partial<Message> & { minute?: number } = {}): Message {
  const { minute = 0, ...rest } = changes;
  return {
    id,
    parentMessageId: null,
    authorKind: 'USER',
    authorUserId: 'ada',
    agentSlug: null,
    inReplyToMessageId: null,
    body: id,
    mentions: [],
    pendingReplies: [],
    reactions: [],
    editedAt: null,
    deletedAt: null,
    createdAt: new Date(NOON + minute * 60_000).toISOString(),
    ...rest,
  } as Message;
}

const rowsOf = (...messages: Message[]) =>
  buildRows({ messages, hasOlder: false, unreadFrom: null, answering: [], outgoing: [] }).flatMap(
    (row) => (row.kind === 'message' ? [row] : []),
  );

describe('rows', () => {
  it('group messages of one author within five minutes', () => {
    const rows = rowsOf(
      message('a'),
      message('b', { minute: 4 }),
      message('c', { minute: 10 }),
      message('d', { minute: 11, authorUserId: 'bob' }),
    );
    expect(rows.map(({ isCompact }) => isCompact)).toEqual([false, true, false, false]);
  });

  it('start each day with its date', () => {
    const rows = rowsOf(message('a'), message('b', { minute: 1 }), message('c', { minute: 1_440 }));
    expect(rows.map(({ day }) => day)).toEqual(['2027-03-09', null, '2027-03-10']);
  });

  it('leave out the first message while the one before it is unknown', () => {
    const messages = [message('a'), message('b', { minute: 1 })];
    const parts = { messages, unreadFrom: null, answering: [], outgoing: [] };
    const [first, ...rest] = buildRows({ ...parts, hasOlder: true });
    expect(first).toMatchObject({ key: 'b', day: null, isCompact: true });
    expect(rest).toEqual([]);
  });

  it('know where unread messages begin', () => {
    const list = [
      message('a', { authorUserId: 'bob' }),
      message('b', { authorUserId: 'bob' }),
      message('c'),
      message('d', { authorUserId: 'bob', parentMessageId: 'a' }),
      message('e', { authorUserId: 'bob' }),
    ];
    expect(findUnreadFrom(list, 0, 'ada')).toBeNull();
    expect(findUnreadFrom(list, 1, 'ada')).toBe('e');
    expect(findUnreadFrom(list, 2, 'ada')).toBe('e');
    expect(findUnreadFrom(list, 3, 'ada')).toBe('b');
    expect(findUnreadFrom(list, 100, 'ada')).toBe('a');
  });
});

describe('answering', () => {
  const startedAt = new Date(NOON).toISOString();
  const pendingReplies = ['recall', 'model'].map((mention) => ({ mention, startedAt }));
  const slugs = (messages: Message[], retrying: string[] = []) =>
    listAnswering(messages, new Set(retrying)).map(({ mention }) => mention);

  it('lists the pending replies of every message', () => {
    const messages = [
      message('p', { pendingReplies }),
      message('q'),
      message('r', { pendingReplies }),
    ];
    expect(slugs(messages)).toEqual(['recall', 'model', 'recall', 'model']);
  });

  it('leaves out a retry that is shown in place', () => {
    const failed = message('f', { authorKind: 'AGENT', inReplyToMessageId: 'q' });
    expect(slugs([message('q', { pendingReplies }), failed], ['f'])).toEqual([]);
  });

  it('gives a finished reply the place in which it was written', () => {
    const question = message('q', { mentions: ['gpt', 'model'], pendingReplies });
    const places = (...replies: Message[]) => {
      const messages = [question, ...replies];
      const parts = { messages, hasOlder: false, unreadFrom: null, outgoing: [] };
      return buildRows({ ...parts, answering: [] }).map(({ place }) => place);
    };
    const reply = (id: string, agentSlug: string, inReplyToMessageId = 'q') =>
      message(id, { authorKind: 'AGENT', agentSlug, inReplyToMessageId });
    expect(places(reply('a', 'gpt'), reply('b', 'claude'))).toEqual(['q', 'q:gpt', 'q:model']);
    expect(places(reply('a', 'gpt'), reply('b', 'gpt'))).toEqual(['q', 'q:gpt', 'b']);
    expect(places(reply('a', 'gpt', 'unknown'))).toEqual(['q', 'a']);
  });

  it('finds what Escape stops: all replies to the person’s last question, and no one else’s', () => {
    const theirs = message('t', { authorUserId: 'bob', mentions: ['gpt'], pendingReplies });
    const find = (messages: Message[], retrying = new Set<string>()) => {
      const answering = listAnswering(messages, retrying);
      const parts = { messages, hasOlder: false, unreadFrom: null, outgoing: [], answering };
      return findOwnReplies(buildRows(parts), retrying, 'ada').map(
        ({ questionId, mention }) => `${questionId}:${mention}`,
      );
    };
    const early = message('e', { pendingReplies });
    expect(find([early, message('q', { pendingReplies }), theirs])).toEqual([
      'q:recall',
      'q:model',
    ]);
    expect(find([message('q'), theirs])).toEqual([]);
    const question = message('q', { mentions: ['gpt'], pendingReplies: pendingReplies.slice(1) });
    const failed = message('f', {
      authorKind: 'AGENT',
      authorUserId: null,
      agentSlug: 'gpt',
      inReplyToMessageId: 'q',
    });
    expect(find([question, failed], new Set(['f']))).toEqual(['q:gpt']);
  });
});
