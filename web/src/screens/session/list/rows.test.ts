import type { McpServer, Message, Model } from '@atrium/sdk';
import { describe, expect, it } from 'vitest';
import { findAnswering } from './answering.ts';
import { buildRows, findUnreadFrom } from './rows.ts';

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
  const agents = {
    models: [{ slug: 'recall', isDefault: true }, { slug: 'gpt' }] as Model[],
    integrations: [
      { mentionSlug: 'tickets', projectIds: [] as string[] },
      { mentionSlug: 'elsewhere', projectIds: ['other'] },
    ] as McpServer[],
    session: { projectId: 'here', model: null, defaultAgent: 'gpt' },
  };
  const waiting = (now: number, ...messages: Message[]) =>
    findAnswering(messages, agents, now).map(({ slug }) => slug);

  it('lists who was mentioned, until each has answered', () => {
    const question = message('q', { mentions: ['recall', 'model', 'tickets', 'elsewhere', 'bob'] });
    const answer = (agentSlug: string) =>
      message(`by ${agentSlug}`, { authorKind: 'AGENT', agentSlug, inReplyToMessageId: 'q' });
    expect(waiting(NOON, question)).toEqual(['recall', 'gpt', 'gpt']);
    expect(waiting(NOON, question, answer('gpt'))).toEqual(['recall', 'gpt']);
    expect(waiting(NOON, question, answer('gpt'), answer('gpt'), answer('recall'))).toEqual([]);
  });

  it('ends after three minutes', () => {
    expect(waiting(NOON + 180_000, message('q', { mentions: ['recall'] }))).toEqual([]);
  });
});
