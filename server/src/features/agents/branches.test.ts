import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { dataOf, expectError, problemsOf } from '../../../test/harness/clients/envelope.ts';
import { addConnection, addMapping } from '../../../test/harness/channels.ts';
import { holdAnswers } from '../../../test/harness/outside/model-server.ts';
import {
  fillSession,
  until,
  type Room,
  type ShownMessage,
} from '../../../test/harness/stages/agent-stage.ts';
import { useAgentStage } from '../../../test/harness/stages/use-stage.ts';

const { stage, ada } = useAgentStage([{ slug: 'ada' }, { slug: 'bob', creditsPer1kTokens: 1 }]);
let room: Room;

type Shown = ShownMessage & { branches: { messageId: string; active: boolean }[] };

/** The OWNER is alone in it. */
beforeEach(async () => {
  ada.answerWith((_, index) => `Answer ${index}.`);
  room = await stage.openRoom({ access: 'PARTICIPANTS', answersWithoutMention: true });
});

const path = (id: string, verb: string) => `${room.space}/messages/${id}/${verb}`;
const retry = (id: string, body: object = {}, by = stage.org.owner) =>
  stage.call('POST', path(id, 'retry'), by, body);
const show = (id: string, by = stage.org.owner) => stage.call('PUT', path(id, 'branch'), by);

async function answered(id: string): Promise<void> {
  await until(async () => (await get(id)).pendingReplies.length === 0);
}
const get = async (id: string): Promise<Shown> =>
  dataOf(await stage.call('GET', `${room.space}/messages/${id}`, stage.org.owner), 200) as Shown;

async function ask(body: string): Promise<string> {
  const { id } = await room.post(body, { key: stage.org.owner.key });
  await answered(id);
  return id;
}

async function askAgain(id: string, body: object = {}): Promise<string> {
  const asked = dataOf(await retry(id, body), 200) as Shown;
  await answered(asked.id);
  return asked.id;
}

const bodies = async () => (await room.list()).map(({ body }) => body).toReversed();
const lastPrompt = () => JSON.stringify(ada.requests.at(-1));

describe('POST …/messages/{messageId}/retry of a question', () => {
  it('200: asks again, in other words or somebody else, and agents read only what is shown', async () => {
    await ask('@ada first of all');
    const asked = await ask('@ada the giraffe?');
    await ask('@ada and its colour?');
    const again = dataOf(await retry(asked, { body: '@ada the dog?' }), 200) as Shown;
    expect(again).toMatchObject({
      body: '@ada the dog?',
      mentions: ['ada'],
      pendingReplies: [{ mention: 'ada' }],
      branches: [
        { messageId: asked, active: false },
        { messageId: again.id, active: true },
      ],
    });
    await answered(again.id);
    expect(lastPrompt()).toContain('first of all');
    expect(lastPrompt()).not.toMatch(/giraffe|colour/);
    const third = await askAgain(again.id, { agent: 'bob' });
    expect((await get(third)).branches.map(({ active }) => active)).toEqual([false, false, true]);
    const [answer] = await room.replies(third);
    expect(answer).toMatchObject({ agentSlug: 'bob', status: 'COMPLETED' });
    expect(answer?.usage?.credits).toBeGreaterThan(0);
    expect((await bodies()).filter((body) => !body.startsWith('Answer'))).toEqual([
      '@ada first of all',
      '@ada the dog?',
    ]);
  });

  it('200: once for one idempotency key, also after the earlier question was edited', async () => {
    const asked = await ask('one');
    const send = () =>
      stage.call('POST', path(asked, 'retry'), {
        key: stage.org.owner.key,
        headers: { 'idempotency-key': 'again' },
        body: { body: 'two' },
      });
    const first = await send();
    await stage.call('PATCH', `${room.space}/messages/${asked}`, stage.org.owner, { body: 'uno' });
    const second = await send();
    expect(second.text).toBe(first.text);
    await answered((dataOf(first, 200) as Shown).id);
    expect((await bodies())[0]).toBe('two');
    expect(await room.list()).toHaveLength(2);
  });

  it('200: stops what is still being answered, which lands in its own branch', async () => {
    const gate = holdAnswers(ada, 'Late.');
    const { id } = await room.post('@ada slowly', { key: stage.org.owner.key });
    await gate.asked();
    const again = await retry(id, { agent: 'recall' });
    gate.open();
    await answered((dataOf(again, 200) as Shown).id);
    await answered(id);
    expect((await room.list()).map(({ agentSlug }) => agentSlug)).toEqual(['recall', null]);
    dataOf(await show(id), 200);
    const [answer, question] = await room.list();
    expect(question?.id).toBe(id);
    expect(answer).toMatchObject({ inReplyToMessageId: id, agentSlug: 'ada' });
  });

  it('200: a late answer to an earlier question stays with it', async () => {
    const gate = holdAnswers(ada, 'Late.');
    const first = await room.post('@ada slowly', { key: stage.org.owner.key });
    await gate.asked();
    const second = await room.post('@recall quickly', { key: stage.org.owner.key });
    await answered(second.id);
    gate.open();
    await answered(first.id);
    await askAgain(second.id, { body: '@recall other' });
    const shown = await room.list();
    expect(shown.map(({ body }) => body)).toContain('Late.');
    expect(shown).toHaveLength(4);
  });

  it('400: a body for a reply, or somebody who does not exist', async () => {
    const asked = await ask('@ada one');
    const [reply] = await room.replies(asked);
    const toReply = await retry(reply?.id ?? '', { body: 'no' });
    expect(problemsOf(toReply)).toEqual(['body.body invalid_value']);
    const toNobody = await retry(asked, { agent: 'nobody' });
    expect(problemsOf(toNobody)).toEqual(['body.agent invalid_value']);
  });

  it('409 reply_not_failed: in a thread, and once somebody else takes part', async () => {
    const asked = await ask('@ada one');
    const inThread = await room.post('in the thread', {
      parentMessageId: asked,
      key: stage.org.owner.key,
    });
    await answered(inThread.id);
    const refused = { reason: 'reply_not_failed' };
    expect(expectError(await retry(inThread.id), 'CONFLICT')).toMatchObject(refused);
    const again = await askAgain(asked);
    const { owner, member } = stage.org;
    const session = `${room.space}/sessions/${room.sessionId}`;
    const participantUserIds = [owner.userId, member.userId];
    dataOf(await stage.call('PATCH', session, owner, { participantUserIds }), 200);
    expect(expectError(await retry(again), 'CONFLICT')).toMatchObject(refused);
    const inactive = { reason: 'branch_inactive' };
    expect(expectError(await show(asked), 'CONFLICT')).toMatchObject(inactive);
    // What they wrote stays in its place after they have gone.
    await room.post('from somebody else');
    await stage.call('PATCH', session, owner, { participantUserIds: [owner.userId] });
    expect(expectError(await retry(again), 'CONFLICT')).toMatchObject(refused);
    expect(await bodies()).toContain('from somebody else');
  });

  it('409 reply_not_failed: in a session that is also a chat channel', async () => {
    const { server, org } = stage;
    const { projectId, sessionId } = room;
    const asked = await ask('@recall one');
    const connectionId = await addConnection(server.db, org.orgId);
    await addMapping(server.db, org.orgId, { connectionId, projectId, sessionId });
    expect(expectError(await retry(asked), 'CONFLICT')).toMatchObject({
      reason: 'reply_not_failed',
    });
  });

  it('409 branch_inactive, limit_reached: what is not shown, and the 51st version', async () => {
    const asked = await ask('@recall one');
    const [reply] = await room.replies(asked);
    const again = await askAgain(asked);
    const inactive = { reason: 'branch_inactive' };
    expect(expectError(await retry(asked), 'CONFLICT')).toMatchObject(inactive);
    expect(expectError(await retry(reply?.id ?? ''), 'CONFLICT')).toMatchObject({
      reason: 'reply_not_failed',
    });
    const thread = { body: 'no', parentMessageId: asked };
    const messages = `${room.space}/sessions/${room.sessionId}/messages`;
    const posted = await stage.call('POST', messages, stage.org.owner, thread);
    expect(problemsOf(posted)).toEqual(['body.parentMessageId invalid_value']);
    await fillSession(stage, room, 48, { from: 5 });
    await stage.server.db.query(
      `UPDATE messages SET turn_id = $2, inactive_branch_id = id
       WHERE session_id = $1 AND position >= 5`,
      [room.sessionId, asked],
    );
    expect(expectError(await retry(again), 'CONFLICT')).toMatchObject({
      reason: 'limit_reached',
      limit: 'branches_per_message',
      max: 50,
    });
  });
});

describe('PUT …/messages/{messageId}/branch', () => {
  it('200: shows what is shown already, and says nothing', async () => {
    const asked = await ask('@recall one');
    expect(dataOf(await show(asked), 200)).toMatchObject({ id: asked, branches: [] });
  });

  it('200: a branch inside another that is not shown, as it was left', async () => {
    const first = await ask('@recall first');
    const second = await ask('@recall second');
    const other = await askAgain(second, { body: '@recall other' });
    await askAgain(first, { body: '@recall instead' });
    const asked = async () => (await room.list()).filter((one) => one.authorUserId);
    expect((await asked()).map(({ body }) => body)).toEqual(['@recall instead']);
    dataOf(await show(second), 200);
    expect((await asked()).map(({ id }) => id)).toEqual([second, first]);
    dataOf(await show(other), 200);
    expect((await asked()).map(({ id }) => id)).toEqual([other, first]);
  });

  it('409 reply_pending: while an answer is being written; session_archived', async () => {
    const asked = await ask('@recall one');
    const gate = holdAnswers(ada, 'Done.');
    const again = dataOf(await retry(asked, { agent: 'ada' }), 200) as Shown;
    await gate.asked();
    const pending = { reason: 'reply_pending' };
    expect(expectError(await show(asked), 'CONFLICT')).toMatchObject(pending);
    gate.open();
    await answered(again.id);
    dataOf(await show(asked), 200);
    await stage.call('DELETE', `${room.space}/sessions/${room.sessionId}`, stage.org.owner);
    const archived = { reason: 'session_archived' };
    expect(expectError(await show(again.id), 'CONFLICT')).toMatchObject(archived);
  });
});

/** A conversation as a tree: the naive model of what is shown. Each place has versions, one of them current. */
interface Place {
  versions: Version[];
  current: Version;
}
interface Version {
  /** The question and its answer, and what was said in its thread, by id. */
  ids: string[];
  question: string;
  next?: Place;
}

function pathOf(start: Place | undefined): Place[] {
  return start ? [start, ...pathOf(start.current.next)] : [];
}

/** The versions from the start to one that satisfies the condition. */
function* tracesIn(start: Place | undefined): Generator<[Place, Version][]> {
  for (const version of start?.versions ?? []) {
    const step: [Place, Version] = [start as Place, version];
    yield [step];
    for (const rest of tracesIn(version.next)) yield [step, ...rest];
  }
}

it('lists, counts, searches and threads have what a tree of turns shows, whatever is asked again', async () => {
  const action = fc.record({
    kind: fc.constantFrom('ask', 'ask', 'again', 'again', 'show', 'thread'),
    at: fc.nat(30),
  });
  const property = fc.asyncProperty(
    fc.array(action, { minLength: 7, maxLength: 10 }),
    async (all) => {
      room = await stage.openRoom({ access: 'PARTICIPANTS' });
      const order: string[] = [];
      let start: Place | undefined;
      const turn = async (id: string): Promise<Version> => {
        await answered(id);
        const [answer] = await room.replies(id);
        order.push(id, answer?.id ?? '');
        return { ids: [id, answer?.id ?? ''], question: id };
      };
      for (const [nth, { kind, at }] of all.entries()) {
        const shown = pathOf(start);
        const place = shown[at % Math.max(1, shown.length)];
        if (kind === 'ask' || !place) {
          const asked = await room.post(`@recall question ${nth}`, { key: stage.org.owner.key });
          const version = await turn(asked.id);
          const added = { versions: [version], current: version };
          const last = shown.at(-1);
          if (last) last.current.next = added;
          else start = added;
        } else if (kind === 'again') {
          const asked = dataOf(await retry(place.current.question), 200) as Shown;
          place.current = await turn(asked.id);
          place.versions.push(place.current);
        } else if (kind === 'show') {
          const traces = [...tracesIn(start)];
          const trace = traces[at % traces.length] ?? [];
          const target = trace.at(-1)?.[1].ids.at(at % 2);
          dataOf(await show(target ?? ''), 200);
          for (const [chosen, version] of trace) chosen.current = version;
        } else {
          const parentMessageId = place.current.question;
          const more = { parentMessageId, key: stage.org.owner.key };
          const { id } = await room.post(`question in thread ${nth}`, more);
          order.push(id);
          place.current.ids.push(id);
        }
        await expectShown(start, order, at);
      }
    },
  );
  await fc.assert(property, { numRuns: 3 });
});

async function expectShown(start: Place | undefined, order: string[], at: number): Promise<void> {
  const shown = new Set(pathOf(start).flatMap(({ current }) => current.ids));
  const expected = order.filter((id) => shown.has(id)).toReversed();
  const session = `${room.space}/sessions/${room.sessionId}`;
  const read = async (query: string) =>
    dataOf(await stage.call('GET', `${session}${query}`, stage.org.owner), 200) as {
      items: Shown[];
      total: number;
      nextBefore: string | null;
      unreadCount: number;
    };
  const listed: string[] = [];
  let page = await read('/messages?limit=3');
  listed.push(...page.items.map(({ id }) => id));
  while (page.nextBefore !== null) {
    page = await read(`/messages?limit=3&before=${page.nextBefore}`);
    listed.push(...page.items.map(({ id }) => id));
  }
  expect([listed, page.total]).toEqual([expected, expected.length]);
  const middle = at % expected.length;
  const around = await read(`/messages?limit=3&around=${expected[middle]}`);
  const from = Math.max(0, middle - 1);
  expect(around.items.map(({ id }) => id)).toEqual(expected.slice(from, from + 3));
  for (const { versions, current } of pathOf(start)) {
    const { branches } = around.items.find(({ id }) => id === current.question) ?? {};
    if (!branches) continue;
    const all = versions.map((one) => ({ messageId: one.question, active: one === current }));
    expect(branches).toEqual(versions.length > 1 ? all : []);
  }
  const own = new Set((await room.list()).filter((one) => one.authorUserId).map(({ id }) => id));
  expect((await read('')).unreadCount).toBe(expected.length - own.size);
  const search = { query: 'question', sessionId: room.sessionId, limit: 100 };
  const filter = { ...search, authorUserId: stage.org.owner.userId };
  const found = dataOf(await stage.call('POST', '/api/messages/search', stage.org.owner, filter));
  const { items } = found as { items: { message: Shown }[] };
  expect(new Set(items.map(({ message }) => message.id))).toEqual(own);
}
