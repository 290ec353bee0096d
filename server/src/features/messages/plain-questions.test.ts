import { beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../test/harness/stages/agent-stage.ts';
import { signIn } from '../../../test/harness/clients/browser.ts';
import { addConnection, addMapping } from '../../../test/harness/channels.ts';
import { dataOf, expectError, problemsOf } from '../../../test/harness/clients/envelope.ts';
import type { Person } from '../../../test/harness/factories.ts';
import { useTestServer } from '../../../test/harness/processes/use-test-server.ts';
import { useNewOrg } from '../../../test/harness/processes/use-test-org.ts';

const server = useTestServer({ worker: true });
const { call } = server;
const org = useNewOrg(() => server.db);
let sessions: string;
let session: string;

/** The MEMBER's session. Everybody in the organisation can read it. */
beforeEach(async () => {
  const { slug } = await send(org.owner, 'POST', '/projects', { name: 'Plans' });
  sessions = `/spaces/${slug}/sessions`;
  session = await open();
});

async function send({ key }: Person, method: string, path: string, body?: object) {
  return dataOf(await call(method, `/api${path}`, { key, ...(body && { body }) }));
}

async function open(body: object = {}): Promise<string> {
  const { id } = await send(org.member, 'POST', sessions, { name: 'Alone', ...body });
  return `${sessions}/${id}`;
}

const set = (answersWithoutMention: boolean, path = session) =>
  send(org.member, 'PATCH', path, { answersWithoutMention });
interface Place {
  by?: Person;
  path?: string;
  parentMessageId?: string;
}

const post = (body: string, { by = org.member, path = session, ...more }: Place = {}) =>
  send(by, 'POST', `${path}/messages`, { body, ...more });
/** The names that are to answer. */
const asked = async (body: string, place?: Place): Promise<string[]> =>
  (await post(body, place)).pendingReplies.map(({ mention }: { mention: string }) => mention);

describe('a message that mentions nobody', () => {
  it('is answered once by whoever answers @model, if the session says so', async () => {
    expect(await asked('What do we know?')).toEqual([]);
    expect(await set(true)).toMatchObject({ answersWithoutMention: true });
    expect((await send(org.owner, 'GET', session)).answersWithoutMention).toBe(true);
    const question = await post('What do we know?');
    const { createdAt: startedAt, mentions } = question;
    expect(mentions).toEqual([]);
    expect(question.pendingReplies).toEqual([{ mention: 'model', startedAt }]);
    const list = async () => (await send(org.member, 'GET', `${session}/messages`)).items;
    await until(async () => (await list())[0].authorKind === 'AGENT');
    const [reply, shown, ...others] = await list();
    expect(reply).toMatchObject({ inReplyToMessageId: question.id, agentSlug: 'recall' });
    expect(shown).toMatchObject({ id: question.id, pendingReplies: [] });
    expect(others).toHaveLength(1);
    await set(false);
    expect(await asked('And now?')).toEqual([]);
  });

  it('is answered in its thread, with the cookie, and once for one idempotency key', async () => {
    await set(true);
    const { id: parentMessageId } = await post('`@recall` is code');
    const reply = await post('More', { parentMessageId });
    expect(reply).toMatchObject({ parentMessageId, pendingReplies: [{ mention: 'model' }] });
    const headers = { 'idempotency-key': 'once', 'atrium-org': org.orgId };
    const browser = await signIn(server, org.member.email);
    const path = `/api${session}/messages`;
    const sendOnce = () => browser.call('POST', path, { headers, body: { body: 'Once?' } });
    const [first, second] = [await sendOnce(), await sendOnce()];
    expect(first.json.data.pendingReplies).toMatchObject([{ mention: 'model' }]);
    expect(second.text).toBe(first.text);
  });

  it('is not answered where others take part, until they are gone', async () => {
    await set(true);
    expect(await asked('Hello', { by: org.owner })).toEqual([]);
    expect(await asked('Hello')).toEqual([]);
    const alone = { participantUserIds: [org.member.userId] };
    await send(org.member, 'PATCH', session, alone);
    expect(await asked('Alone')).toEqual(['model']);
    await send(org.member, 'PATCH', session, { participantUserIds: [] });
    expect(await asked('First here', { by: org.owner })).toEqual(['model']);
    const participantUserIds = [org.member.userId, org.owner.userId];
    const path = await open({ access: 'PARTICIPANTS', participantUserIds });
    await set(true, path);
    expect(await asked('Two', { path })).toEqual([]);
  });

  it('is not answered in another session of the organisation', async () => {
    await set(true);
    expect(await asked('Hello', { path: await open() })).toEqual([]);
  });

  it('is not answered in a session that is also a chat channel: others read along', async () => {
    const { id, projectId } = await set(true);
    const connectionId = await addConnection(server.db, org.orgId);
    const mapping = await addMapping(server.db, org.orgId, {
      connectionId,
      projectId,
      sessionId: id,
    });
    expect(await asked('Alone?')).toEqual([]);
    expect(await asked('Alone, @model?')).toEqual(['model']);
    await send(org.owner, 'DELETE', `/projects/${projectId}/channels/${mapping}`);
    expect(await asked('Alone again?')).toEqual(['model']);
  });
});

describe('with a mention', () => {
  it('only those who are mentioned answer, or nobody if they are people', async () => {
    const { handle } = await send(org.owner, 'GET', '/me');
    await set(true);
    expect(await asked('@recall what?')).toEqual(['recall']);
    expect(await asked(`@${handle} what?`)).toEqual([]);
    expect(await asked('What is @types/node?')).toEqual(['model']);
  });
});

it('refusals are the same as ever: 400, 404, 409', async () => {
  await set(true);
  const attempt = (path: string, body: object) =>
    call('POST', `/api${path}/messages`, { key: org.member.key, body });
  const bad = await attempt(session, { body: 'x', parentMessageId: 'nothing' });
  expect(problemsOf(bad)).toEqual(['body.parentMessageId invalid_value']);
  expectError(await attempt(`${sessions}/${'c'.repeat(25)}`, { body: 'x' }), 'NOT_FOUND');
  await send(org.member, 'DELETE', session);
  expectError(await attempt(session, { body: 'x' }), 'CONFLICT');
  const change = await call('PATCH', `/api${session}`, {
    key: org.member.key,
    body: { answersWithoutMention: 'yes' },
  });
  expect(problemsOf(change)).toEqual(['body.answersWithoutMention invalid_type']);
});
