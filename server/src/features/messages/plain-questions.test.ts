import { beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../test/harness/stages/agent-stage.ts';
import { signIn } from '../../../test/harness/clients/browser.ts';
import { addConnection, addMapping } from '../../../test/harness/channels.ts';
import { expectError, problemsOf } from '../../../test/harness/clients/envelope.ts';
import type { Person } from '../../../test/harness/factories.ts';
import { useServerWithNewOrgs } from '../../../test/harness/processes/use-test-org.ts';

const { server, call, send, org } = useServerWithNewOrgs({ worker: true });
let sessions: string;
let session: string;

/** The MEMBER's session. Everybody in the organisation can read it. */
beforeEach(async () => {
  const { slug } = await send('POST', '/api/projects', org.owner, { name: 'Plans' });
  sessions = `/api/spaces/${slug}/sessions`;
  session = await open();
});

async function open(body: object = {}): Promise<string> {
  const { id } = await send('POST', sessions, org.member, { name: 'Alone', ...body });
  return `${sessions}/${id}`;
}

const set = (answersWithoutMention: boolean, path = session) =>
  send('PATCH', path, org.member, { answersWithoutMention });
interface Place {
  by?: Person;
  path?: string;
  parentMessageId?: string;
}

const post = (body: string, { by = org.member, path = session, ...more }: Place = {}) =>
  send('POST', `${path}/messages`, by, { body, ...more });
/** The names that are to answer. */
const asked = async (body: string, place?: Place): Promise<string[]> =>
  (await post(body, place)).pendingReplies.map(({ mention }: { mention: string }) => mention);

describe('a message that mentions nobody', () => {
  it('is answered once by whoever answers @model, if the session says so', async () => {
    expect(await asked('What do we know?')).toEqual([]);
    expect(await set(true)).toMatchObject({ answersWithoutMention: true });
    expect((await send('GET', session, org.owner)).answersWithoutMention).toBe(true);
    const question = await post('What do we know?');
    const { createdAt: startedAt, mentions } = question;
    expect(mentions).toEqual([]);
    expect(question.pendingReplies).toEqual([{ mention: 'model', startedAt }]);
    const list = async () => (await send('GET', `${session}/messages`, org.member)).items;
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
    const path = `${session}/messages`;
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
    await send('PATCH', session, org.member, alone);
    expect(await asked('Alone')).toEqual(['model']);
    await send('PATCH', session, org.member, { participantUserIds: [] });
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
    await send('DELETE', `/api/projects/${projectId}/channels/${mapping}`, org.owner);
    expect(await asked('Alone again?')).toEqual(['model']);
  });
});

describe('with a mention', () => {
  it('only those who are mentioned answer, or nobody if they are people', async () => {
    const { handle } = await send('GET', '/api/me', org.owner);
    await set(true);
    expect(await asked('@recall what?')).toEqual(['recall']);
    expect(await asked(`@${handle} what?`)).toEqual([]);
    expect(await asked('What is @types/node?')).toEqual(['model']);
  });
});

it('refusals are the same as ever: 400, 404, 409', async () => {
  await set(true);
  const attempt = (path: string, body: object) =>
    call('POST', `${path}/messages`, org.member, body);
  const bad = await attempt(session, { body: 'x', parentMessageId: 'nothing' });
  expect(problemsOf(bad)).toEqual(['body.parentMessageId invalid_value']);
  expectError(await attempt(`${sessions}/${'c'.repeat(25)}`, { body: 'x' }), 'NOT_FOUND');
  await send('DELETE', session, org.member);
  expectError(await attempt(session, { body: 'x' }), 'CONFLICT');
  const change = await call('PATCH', session, org.member, { answersWithoutMention: 'yes' });
  expect(problemsOf(change)).toEqual(['body.answersWithoutMention invalid_type']);
});

describe('a session without a name', () => {
  const nameOf = async (path: string) => (await send('GET', path, org.member)).name;

  it('is a chat at once, and named by its first message, once', async () => {
    const path = await open({
      name: 'New chat',
      isUnnamed: true,
      access: 'PARTICIPANTS',
      answersWithoutMention: true,
      defaultAgent: 'recall',
    });
    expect(await nameOf(path)).toBe('New chat');
    const title = 'My own';
    await send('PATCH', path, org.member, { title });
    expect(await asked('@nobody **what** do we know? Tell me.', { path })).toEqual(['model']);
    await post('Something else', { path });
    // The question that gave it its name is asked in other words.
    const { items } = await send('GET', `${path}/messages`, org.member);
    const first = items.at(-1).id;
    const space = sessions.replace(/\/sessions$/, '');
    const body = 'What do we decide?';
    await send('POST', `${space}/messages/${first}/retry`, org.member, { body });
    expect(await nameOf(path)).toBe('What do we decide?');
    await until(async () => {
      const { status } = await call('PUT', `${space}/messages/${first}/branch`, org.member);
      return status === 200;
    });
    expect(await send('GET', path, org.member)).toMatchObject({
      name: 'What do we know?',
      title,
      answersAs: 'recall',
    });
  });

  it('keeps its name until a message has words, and one that was given stays', async () => {
    const path = await open({ name: 'New chat', isUnnamed: true });
    await post('@recall', { path });
    expect(await nameOf(path)).toBe('New chat');
    await post('words', { path });
    expect(await nameOf(path)).toBe('Words');
    await post('words');
    expect(await nameOf(session)).toBe('Alone');
  });
});
