import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { addPerson, createTestOrg, type Person } from '../../../../test/harness/factories.ts';
import { useTestServer } from '../../../../test/harness/processes/use-test-server.ts';

const server = useTestServer();
let people: Person[];

beforeAll(async () => {
  const { orgId, owner } = await createTestOrg(server.db);
  people = [owner, ...(await Promise.all([1, 2].map(() => addPerson(server.db, orgId, 'ADMIN'))))];
  await send(0, 'POST', '/api/projects', { name: 'Model' });
});

const SPACE = '/api/spaces/model';
const EMOJIS = ['👍', '🎉'];

const send = (who: number, method: string, path: string, body?: object) =>
  server.call(method, path, people[who], body);

/** A session as plain arrays: the naive model of what its lists show. */
interface Modelled {
  id: string;
  parent: Modelled | undefined;
  author: number;
  body: string;
  isDeleted: boolean;
  /** In the order they were made in. */
  reactions: { emoji: string; who: number }[];
}

const shownAs = (messages: Modelled[]) => (message: Modelled) => ({
  id: message.id,
  body: message.isDeleted ? '' : message.body,
  replyCount: messages.filter(({ parent }) => parent === message).length,
  reactions: [...Map.groupBy(message.reactions, ({ emoji }) => emoji)].map(([emoji, made]) => ({
    emoji,
    count: made.length,
    userIds: made.map(({ who }) => people[who]?.userId),
  })),
});

const someone = fc.nat(2);
const action = fc.oneof(
  fc.record({ kind: fc.constant('post' as const), who: someone, at: fc.nat(20) }),
  fc.record({ kind: fc.constant('reply' as const), who: someone, at: fc.nat(20) }),
  fc.record({ kind: fc.constant('edit' as const), who: someone, at: fc.nat(20) }),
  fc.record({ kind: fc.constant('delete' as const), who: someone, at: fc.nat(20) }),
  fc.record({
    kind: fc.constantFrom('react' as const, 'unreact' as const),
    who: someone,
    at: fc.nat(20),
    emoji: fc.constantFrom(...EMOJIS),
  }),
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

/** Does it to the server and to the model. */
async function act(messages: Modelled[], session: string, doing: Action): Promise<void> {
  const target = messages[doing.at % Math.max(1, messages.length)];
  const path = `${SPACE}/messages/${target?.id}`;
  const body = `${doing.kind} ${messages.length} by ${doing.who}`;
  if (doing.kind === 'post' || doing.kind === 'reply') {
    const parent = doing.kind === 'reply' && !target?.parent ? target : undefined;
    const draft = { body, ...(parent && { parentMessageId: parent.id }) };
    const reply = await send(doing.who, 'POST', `${SPACE}/sessions/${session}/messages`, draft);
    const { id } = reply.json.data;
    messages.push({ id, parent, author: doing.who, body, isDeleted: false, reactions: [] });
  } else if (!target || target.isDeleted) {
    return;
  } else if (doing.kind === 'edit') {
    const { status } = await send(doing.who, 'PATCH', path, { body });
    if (target.author === doing.who) target.body = body;
    expect(status).toBe(target.author === doing.who ? 200 : 403);
  } else if (doing.kind === 'delete') {
    await send(doing.who, 'DELETE', path);
    Object.assign(target, { isDeleted: true, reactions: [] });
  } else if ('emoji' in doing) {
    const { emoji, who } = doing;
    const isIt = (one: { emoji: string; who: number }) => one.emoji === emoji && one.who === who;
    if (doing.kind === 'react') {
      await send(who, 'POST', `${path}/reactions`, { emoji });
      if (!target.reactions.some(isIt)) target.reactions.push({ emoji, who });
    } else {
      await send(who, 'DELETE', `${path}/reactions/${encodeURIComponent(emoji)}`);
      target.reactions = target.reactions.filter((one) => !isIt(one));
    }
  }
}

it('lists show what a naive model of the session has, after any writes by anybody', async () => {
  const property = fc.asyncProperty(
    fc.array(action, { minLength: 8, maxLength: 20 }),
    async (actions) => {
      const opened = await send(0, 'POST', `${SPACE}/sessions`, { name: 's' });
      const session = opened.json.data.id;
      const messages: Modelled[] = [];
      const tags = new Map<string, string>();
      for (const [turn, doing] of actions.entries()) {
        await act(messages, session, doing);
        const threads = messages.filter(({ parent }) => !parent).slice(-1);
        for (const [query, listed] of [
          ['limit=3', messages],
          ...threads.map((thread): [string, Modelled[]] => [
            `parentMessageId=${thread.id}&limit=2`,
            messages.filter(({ parent }) => parent === thread),
          ]),
        ] as [string, Modelled[]][]) {
          const path = `${SPACE}/sessions/${session}/messages?${query}`;
          const reply = await send(turn % 3, 'GET', path);
          const { items, total, hasMore } = reply.json.data;
          const limit = Number(query.at(-1));
          const expected = listed.toReversed().slice(0, limit).map(shownAs(messages));
          expect(items).toMatchObject(expected);
          expect([items.length, total, hasMore]).toEqual([
            expected.length,
            listed.length,
            listed.length > limit,
          ]);
          // One tag stands for the same bytes, in any list and for ever.
          const etag = reply.headers.get('etag') ?? '';
          const bytes = JSON.stringify(reply.json.data);
          expect(tags.get(etag) ?? bytes).toBe(bytes);
          tags.set(etag, bytes);
        }
      }
    },
  );
  await fc.assert(property, { numRuns: 5 });
});
