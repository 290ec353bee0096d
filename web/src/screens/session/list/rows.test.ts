import type { Message } from '@atrium/sdk';
import { describe, expect, it } from 'vitest';
import { buildRows, findStoppable, listAnswering, type Note } from './rows.ts';

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
    mentionedUserIds: [],
    previews: [],
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
});

describe('notes', () => {
  const note = (id: string, minute: number): Note => ({
    id,
    at: new Date(NOON + minute * 60_000).toISOString(),
    show: id,
    join: (next) => ({ ...note(`${id}+${next.id}`, minute) }),
  });

  it('stand between messages by their time, as one if nothing is between them', () => {
    const rows = buildRows({
      messages: [
        message('a', { minute: 2 }),
        message('b', { minute: 4 }),
        message('c', { minute: 5 }),
      ],
      hasOlder: false,
      unreadFrom: null,
      answering: [],
      outgoing: [],
      notes: [note('n0', 0), note('n1', 1), note('n3', 3), note('n8', 8)],
    });
    expect(rows.map(({ key }) => key)).toEqual(['n0+n1', 'a', 'n3', 'b', 'c', 'n8']);
    const compact = rows.map((row) => row.kind === 'message' && row.isCompact);
    // What follows a note begins with its author again.
    expect(compact).toEqual([false, false, false, false, true, false]);
  });
});

describe('rows of a mapped session', () => {
  const at = (minute: number) => new Date(NOON + minute * 60_000).toISOString();
  const external = (id: string) => ({ provider: 'SLACK' as const, id, name: 'Maria' });

  it('never group two people of the channel, even under one name', () => {
    const rows = rowsOf(
      message('a', { authorUserId: null, externalAuthor: external('U1') }),
      message('b', { authorUserId: null, externalAuthor: external('U1'), minute: 1 }),
      message('c', { authorUserId: null, externalAuthor: external('U2'), minute: 2 }),
    );
    expect(rows.map(({ isCompact }) => isCompact)).toEqual([false, true, false]);
  });

  it('show where the channel was paused and resumed', () => {
    const messages = [0, 1, 3, 4].map((minute) => message(`at ${minute}`, { minute }));
    const gaps = [
      { from: at(0.2), to: at(0.4) },
      { from: at(2), to: at(4) },
      { from: at(5), to: null },
    ];
    const parts = { messages, hasOlder: false, unreadFrom: null, answering: [], outgoing: [] };
    const rows = buildRows({ ...parts, gaps }).flatMap((row) =>
      row.kind === 'message' ? [{ pauses: row.pauses, isCompact: row.isCompact }] : [],
    );
    expect(rows).toEqual([
      { pauses: [], isCompact: false },
      {
        pauses: [
          { at: at(0.2), isPause: true },
          { at: at(0.4), isPause: false },
        ],
        isCompact: false,
      },
      { pauses: [{ at: at(2), isPause: true }], isCompact: false },
      { pauses: [{ at: at(4), isPause: false }], isCompact: false },
    ]);
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

  it('Escape stops all replies to the person’s questions, or else those of others that they may stop', () => {
    const theirs = message('t', { authorUserId: 'bob', mentions: ['gpt'], pendingReplies });
    const find = (messages: Message[], retrying = new Set<string>(), isAdmin = false) => {
      const answering = listAnswering(messages, retrying);
      const parts = { messages, hasOlder: false, unreadFrom: null, outgoing: [], answering };
      const canSteer = (askerId: string | null) => isAdmin || askerId === 'ada';
      return findStoppable(buildRows(parts), retrying, { userId: 'ada', canSteer }).map(
        ({ questionId, mention }) => `${questionId}:${mention}`,
      );
    };
    const early = message('e', { pendingReplies });
    const own = ['e:recall', 'e:model', 'q:recall', 'q:model'];
    const both = [early, message('q', { pendingReplies }), theirs];
    expect(find(both)).toEqual(own);
    expect(find(both, new Set(), true)).toEqual(own);
    expect(find([message('q'), theirs])).toEqual([]);
    expect(find([message('q'), theirs], new Set(), true)).toEqual(['t:recall', 't:model']);
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
