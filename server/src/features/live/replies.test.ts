import { setTimeout as sleep } from 'node:timers/promises';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest';
import type { Room } from '../../../test/harness/stages/agent-stage.ts';
import { useAgentStage, useMcpUpstream } from '../../../test/harness/stages/use-stage.ts';
import { ENGINE } from '../../../test/harness/databases/database.ts';
import { useTestDatabase } from '../../../test/harness/databases/use-test-database.ts';
import {
  openEventsOf,
  openSessionEvents,
  type EventStream,
} from '../../../test/harness/clients/event-stream.ts';
import { expectError } from '../../../test/harness/clients/envelope.ts';
import type { Person } from '../../../test/harness/factories.ts';
import { speakMcp, words } from '../../../test/harness/outside/mcp-upstream.ts';
import { startTestServer, type TestServer } from '../../../test/harness/processes/server.ts';

const database = useTestDatabase();
const { upstream: wiki, mayCallIt, registration } = useMcpUpstream();
const { stage, ada } = useAgentStage([{ slug: 'ada' }], () => ({
  ...mayCallIt(),
  shared: database,
}));
/** On PostgreSQL, the process that shows a reply is not the one that writes it. */
let reading: TestServer;
let room: Room;
let open: EventStream[] = [];

beforeAll(async () => {
  reading = ENGINE === 'postgres' ? await startTestServer({ shared: database }) : stage.server;
});
beforeEach(async () => {
  room = await stage.openRoom();
});
afterEach(() => {
  for (const stream of open) stream.close();
  open = [];
});
afterAll(async () => {
  if (reading !== stage.server) await reading.stop();
});

async function watch(person: Person = stage.org.member): Promise<EventStream> {
  const stream = await openEventsOf(reading, person, stage.org);
  open.push(stream);
  return stream;
}

/** Puts together what a page would show, from `reply.started` to `reply.ended`. */
async function readReply(stream: EventStream) {
  const shown = { text: '', deltas: 0, restarts: 0 };
  let seq = 0;
  for (const { type, data } of await stream.takeUntil('reply.ended')) {
    if (!type.startsWith('reply.')) continue;
    const { text = '', seq: number } = data as unknown as { text?: string; seq: number };
    if (type === 'reply.delta') {
      expect(number).toBe(seq++);
      shown.text += text;
      shown.deltas++;
      continue;
    }
    if (type === 'reply.restarted') shown.restarts++;
    seq = number;
    shown.text = text;
  }
  return shown;
}

describe('a page that is open while a reply is written', () => {
  it('sees it grow, in order, at most ten times a second, and then the message', async () => {
    const stream = await watch();
    const text = '🙂 one two '.repeat(60).trim();
    const pace = (at: number) => (at % 10 === 0 ? sleep(20) : Promise.resolve());
    ada.answerWith([{ text, chunks: 120, pace }]);
    const startedAt = performance.now();
    const question = await room.post('@ada count');
    const { data } = await stream.next('reply.started');
    expect(data).toEqual({
      projectId: room.projectId,
      sessionId: room.sessionId,
      questionId: question.id,
      mention: 'ada',
      seq: 0,
      text: '',
    });
    const shown = await readReply(stream);
    expect(shown).toMatchObject({ text, restarts: 0 });
    expect(shown.deltas).toBeGreaterThan(1);
    expect(shown.deltas).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 100);
    const [reply] = await room.replies(question.id);
    expect(reply?.body).toBe(text);
  });

  it('sees nothing of one in a private session, unless its person takes part', async () => {
    const { owner, member } = stage.org;
    const closed = await stage.openRoom({ access: 'PARTICIPANTS' });
    const [inside, outside] = [await watch(owner), await watch(member)];
    ada.answerWith(['Between us.', 'To all.']);
    await closed.ask('@ada a secret?', { key: owner.key });
    expect(await readReply(inside)).toMatchObject({ text: 'Between us.' });
    await room.post('@ada and now?');
    expect(await readReply(outside)).toMatchObject({ text: 'To all.' });
    const { sessionId } = closed;
    expect(outside.events.filter(({ data }) => data['sessionId'] === sessionId)).toEqual([]);
  });

  it('starts over when the provider is asked again', async () => {
    const stream = await watch();
    ada.answerWith([{ text: 'Here', ending: 'cut' }, 'Here I am.']);
    await room.post('@ada are you there?');
    expect(await readReply(stream)).toMatchObject({ text: 'Here I am.', restarts: 1 });
  });

  it('opened in the middle: sees what was written, then the rest; the list shows no draft', async () => {
    const first = await watch();
    const gate = Promise.withResolvers<void>();
    ada.answerWith([
      {
        text: 'one two three four',
        chunks: 2,
        pace: async (at) => void (at > 1 && (await gate.promise)),
      },
    ]);
    const question = await room.post('@ada count');
    await first.next('reply.delta');
    const second = await watch();
    const { data } = await second.next('reply.started', { questionId: question.id });
    expect(data).toMatchObject({ seq: 1, text: 'one two t' });
    expect(await room.list()).toHaveLength(1);
    gate.resolve();
    const rest = await second.takeUntil('reply.ended', { questionId: question.id });
    const deltas = rest.filter(({ type }) => type === 'reply.delta');
    expect(deltas.map((delta) => delta.data)).toMatchObject([{ seq: 1, text: 'hree four' }]);
  });

  it('sees calls of tools while they run, also if it opens later or the text starts over', async () => {
    await stage.call('POST', '/api/mcp/servers', stage.org.owner, registration());
    const gate = Promise.withResolvers<void>();
    const speak = speakMcp([{ name: 'find', run: () => words('Found it.') }]);
    wiki.answerWith((message, ...rest) => {
      if (message.method !== 'tools/call') return speak(message, ...rest);
      void gate.promise.then(() => speak(message, ...rest));
    });
    ada.answerWith([
      { text: 'Let me look.', toolCalls: [{ name: 'find', input: {} }] },
      'It is here.',
    ]);
    const first = await watch();
    const question = await room.post('@wiki where is it?');
    const call = { server: 'wiki', name: 'find', state: 'started' };
    const { data } = await first.next('reply.tools');
    expect(data).toEqual({
      projectId: room.projectId,
      sessionId: room.sessionId,
      questionId: question.id,
      mention: 'wiki',
      toolCalls: [call],
    });
    const second = await watch();
    await second.next('reply.started', { questionId: question.id });
    expect((await second.next('reply.tools')).data).toEqual(data);
    gate.resolve();
    const ended = { ...call, state: 'ended', isError: false, latencyMs: expect.any(Number) };
    expect((await second.next('reply.tools')).data).toEqual({ ...data, toolCalls: [ended] });
    await second.next('reply.restarted');
    expect((await second.next('reply.tools')).data).toEqual({ ...data, toolCalls: [ended] });
    await second.next('reply.ended');
    const [reply] = await room.replies(question.id);
    expect(reply?.toolCalls).toMatchObject([{ server: 'wiki', name: 'find', result: 'Found it.' }]);
  });

  it('sees a stop: the reply ends, and the message says STOPPED', async () => {
    const stream = await watch();
    ada.answerWith([{ text: 'one two', ending: 'hang' }]);
    const question = await room.post('@ada count');
    await stream.next('reply.delta', { questionId: question.id });
    const path = `${room.space}/messages/${question.id}/replies/ada/stop`;
    expect((await stage.call('POST', path, stage.org.member)).status).toBe(200);
    await stream.next('reply.ended', { questionId: question.id });
    const [reply] = await room.replies(question.id);
    expect(reply).toMatchObject({ status: 'STOPPED', body: 'one two' });
  });

  it('sees nothing of Projects that its person does not belong to', async () => {
    room = await stage.openRoom({}, stage.org, { access: 'MEMBERS' });
    const [inside, outside] = [await watch(stage.org.owner), await watch(stage.org.member)];
    ada.answerWith(['Secret.']);
    await room.post('@ada tell me', { key: stage.org.owner.key });
    expect((await readReply(inside)).text).toBe('Secret.');
    await room.remember('A fence');
    const heard = await outside.takeUntil('memory.changed');
    expect(heard.filter(({ type }) => type.startsWith('reply.'))).toEqual([]);
  });

  it('sees nothing more once its person has lost the right', async () => {
    room = await stage.openRoom({}, stage.org, { access: 'MEMBERS' });
    const member = `/api/projects/${room.projectId}/members/${stage.org.member.userId}`;
    await stage.call('PUT', member, stage.org.owner);
    const [stays, loses] = [await watch(stage.org.owner), await watch(stage.org.member)];
    const gate = Promise.withResolvers<void>();
    ada.answerWith([
      {
        text: 'one two three four',
        chunks: 2,
        pace: async (at) => void (at > 1 && (await gate.promise)),
      },
    ]);
    await room.post('@ada count', { key: stage.org.owner.key });
    // With all before it: joining the Project may send a `resync` too, and late.
    await loses.takeUntil('reply.delta');
    await stage.call('DELETE', member, stage.org.owner);
    await loses.takeUntil('resync');
    gate.resolve();
    await stays.next('reply.ended');
    await room.remember('A fence');
    const heard = await loses.takeUntil('memory.changed');
    expect(heard.filter(({ type }) => type.startsWith('reply.'))).toEqual([]);
  });
});

describe('GET …/sessions/{sessionId}/events', () => {
  const pathOf = ({ space, sessionId }: Room) => `${space}/sessions/${sessionId}`;

  async function follow(key = stage.org.member.key, place = room): Promise<EventStream> {
    const stream = await openSessionEvents(reading.origin, { path: pathOf(place), key });
    open.push(stream);
    return stream;
  }

  it("200: the session's messages and replies, and nothing of other sessions", async () => {
    const stream = await follow();
    expect(stream.headers.get('ratelimit-limit')).toBeTruthy();
    const other = await stage.openRoom();
    ada.answerWith(['Here I am.']);
    const elsewhere = await other.post('@ada elsewhere');
    const question = await room.post('@ada are you there?');
    await stream.next('message.created', { messageId: question.id });
    expect(await readReply(stream)).toMatchObject({ text: 'Here I am.' });
    await other.replies(elsewhere.id);
    const last = await room.post('That is all.');
    const heard = await stream.takeUntil('message.created', { messageId: last.id });
    for (const { data } of heard) expect(data['sessionId']).toBe(room.sessionId);
  });

  it('200, then the end: the key is revoked, or the Project closed to its person', async () => {
    const checking = await startTestServer({ shared: database, liveTiming: { checkEveryMs: 50 } });
    onTestFinished(() => checking.stop());
    const key = (
      await stage.call('POST', '/api/keys', stage.org.member, {
        name: 'Watcher',
        scopes: ['messages:read'],
      })
    ).json.data;
    const at = { path: pathOf(room), key: key.secret };
    const [revoked, closed] = await Promise.all([
      openSessionEvents(checking.origin, at),
      openSessionEvents(checking.origin, { ...at, key: stage.org.member.key }),
    ]);
    await stage.call('DELETE', `/api/keys/${key.id}`, stage.org.member);
    await revoked.closed;
    await stage.call('PATCH', `/api/projects/${room.projectId}`, stage.org.owner, {
      access: 'MEMBERS',
    });
    await closed.closed;
  });

  it('400, 401, 403, 404: like the list', async () => {
    const path = `${pathOf(room)}/events`;
    expectError(await stage.call('GET', path), 'AUTH_ERROR');
    expectError(await stage.call('GET', `${path}?since=1`, stage.org.member), 'VALIDATION_ERROR');
    expectError(await stage.call('GET', `${path}x`, stage.org.member), 'NOT_FOUND');
    const other = await stage.openRoom({}, stage.org, { access: 'MEMBERS' });
    expectError(await stage.call('GET', `${pathOf(other)}/events`, stage.org.member), 'FORBIDDEN');
    const unknown = `${room.space}/sessions/${other.sessionId}/events`;
    expectError(await stage.call('GET', unknown, stage.org.member), 'NOT_FOUND');
  });
});
