import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEventsOf, type EventStream } from '../../../../test/harness/clients/event-stream.ts';
import { callTool, connectMcp } from '../../../../test/harness/clients/mcp-client.ts';
import { addPerson, type Person } from '../../../../test/harness/factories.ts';
import { useServerWithNewOrgs } from '../../../../test/harness/processes/use-test-org.ts';

const { server, call, send, org } = useServerWithNewOrgs({ worker: true });
let outsider: Person;
let projectId: string;
let sessions: string;
/** The Project's first session, which all its members follow: the OWNER, the ADMIN and the MEMBER. */
let session: string;
const pages: EventStream[] = [];

beforeEach(async () => {
  outsider = await addPerson(server.db, org.orgId, 'MEMBER');
  const body = { name: 'Closed', access: 'MEMBERS' };
  const project = await send('POST', '/api/projects', org.owner, body);
  projectId = project.id;
  await send('PUT', `/api/projects/${projectId}/members/${org.member.userId}`, org.owner);
  sessions = `/api/spaces/${project.slug}/sessions`;
  session = `${sessions}/${(await send('POST', sessions, org.owner, { name: 'Talk' })).id}`;
});
afterEach(() => {
  for (const page of pages.splice(0)) page.close();
});

const post = (body: string, by = org.owner, fields: object = {}) =>
  send('POST', `${session}/messages`, by, { body, ...fields });
const choose = (level: string, by: Person) => send('PUT', `${session}/follow`, by, { level });
const allow = (broadcasts: string) =>
  send('PATCH', `/api/projects/${projectId}`, org.owner, { broadcasts });

async function appear(person: Person): Promise<void> {
  pages.push(await openEventsOf(server, person, org));
}

/** After a worker has told everybody, so that nobody is told only because they look. */
async function told(person: Person): Promise<[kind: string, isQuiet: boolean][]> {
  const untold = () => server.db.query('SELECT 1 AS one FROM owed_events');
  await expect.poll(untold).toEqual([]);
  const { items } = await send('GET', '/api/notifications', person);
  return items.map(({ kind, isQuiet }: { kind: string; isQuiet: boolean }) => [kind, isQuiet]);
}

describe('@everyone', () => {
  it('201: tells everybody else who follows, also those who want only mentions, and quietly under NONE', async () => {
    await choose('MENTIONS', org.admin);
    await choose('NONE', org.member);
    expect(await post('Hello @everyone.')).toMatchObject({
      mentions: ['everyone'],
      mentionedUserIds: [],
      broadcast: 'EVERYONE',
    });
    expect(await told(org.admin)).toEqual([['BROADCAST', false]]);
    expect(await told(org.member)).toEqual([['BROADCAST', true]]);
    for (const person of [org.owner, outsider]) expect(await told(person)).toEqual([]);
  });

  it('201: not those who left or may not read it, and nobody follows because of it', async () => {
    await call('DELETE', `${session}/follow`, org.member);
    await post('@everyone');
    expect(await told(org.member)).toEqual([]);
    expect((await send('GET', session, org.member)).isFollowed).toBe(false);
    const participantUserIds = [org.owner.userId, org.admin.userId];
    const secret = { name: 'Secret', access: 'PARTICIPANTS', participantUserIds };
    session = `${sessions}/${(await send('POST', sessions, org.owner, secret)).id}`;
    await post('@everyone');
    expect([(await told(org.admin)).length, (await told(org.member)).length]).toEqual([2, 0]);
  });

  it('201: a mention comes first, and a reply in a thread last', async () => {
    const { handle } = await send('GET', '/api/me', org.admin);
    const { id: parentMessageId } = await post('First', org.member);
    await post(`@everyone, and you, @${handle}`, org.owner, { parentMessageId });
    expect(await told(org.admin)).toEqual([['MENTION', false]]);
    expect(await told(org.member)).toEqual([['BROADCAST', false]]);
  });

  it('201: emails only those who want email about everything', async () => {
    await send('PATCH', '/api/me', org.admin, { emailNotifications: 'ALL' });
    await post('@everyone');
    await told(org.admin);
    const due = await server.db.query(
      'SELECT user_id AS id FROM notifications WHERE org_id = $1 AND is_mail_due',
      [org.orgId],
    );
    expect(due).toEqual([{ id: org.admin.userId }]);
  });

  it('201: 200 people at most, those who take part first', async () => {
    await server.db.query(
      `INSERT INTO users (id, email, email_key, name)
       SELECT '!' || n || $1, n || $1 || '@crowd.test', n || $1 || '@crowd.test', 'One' FROM generate_series(1, 210) n`,
      [org.orgId],
    );
    await server.db.query(
      `INSERT INTO memberships (org_id, user_id, role)
       SELECT $1, '!' || n || $1, 'ADMIN' FROM generate_series(1, 210) n`,
      [org.orgId],
    );
    await post('I take part', org.member);
    expect(await send('GET', `${session}/reach`, org.owner)).toMatchObject({ everyone: 200 });
    await post('@everyone');
    expect(await told(org.member)).toEqual([['BROADCAST', false]]);
    const [row] = await server.db.query<{ count: number }>(
      'SELECT count(*) FROM notifications WHERE org_id = $1',
      [org.orgId],
    );
    expect(row?.count).toBe(200);
  });

  it('200: an edit tells nobody, and the word goes with it', async () => {
    const { id } = await post('Hello');
    const path = `${sessions.replace('/sessions', '/messages')}/${id}`;
    const edit = async (of: string, body: string) =>
      (await send('PATCH', of, org.owner, { body })).broadcast;
    expect(await edit(path, 'Hello @everyone')).toBe(null);
    expect(await told(org.admin)).toEqual([]);
    const other = path.replace(id, (await post('@everyone')).id);
    expect(await edit(other, '@everyone again')).toBe('EVERYONE');
    expect(await edit(other, '@here instead')).toBe(null);
    expect(await told(org.admin)).toEqual([['BROADCAST', false]]);
  });
});

describe('@here', () => {
  it('201: tells followers who have a page open', async () => {
    await appear(org.member);
    await appear(outsider);
    const reach = { mayBroadcast: true, here: 1, everyone: 2 };
    await expect.poll(() => send('GET', `${session}/reach`, org.owner)).toEqual(reach);
    expect((await post('@here')).broadcast).toBe('HERE');
    expect(await told(org.member)).toEqual([['BROADCAST', false]]);
    for (const person of [org.admin, outsider]) expect(await told(person)).toEqual([]);
    expect((await post('@here @everyone')).broadcast).toBe('EVERYONE');
  });
});

describe('who may', () => {
  const says = async (by: Person) => {
    const { mayBroadcast } = await send('GET', `${session}/reach`, by);
    expect((await post('@everyone', by)).broadcast).toBe(mayBroadcast ? 'EVERYONE' : null);
    return mayBroadcast;
  };

  it('200: every member, ADMINs and the creator, or nobody, as the Project says', async () => {
    const project = `/api/projects/${projectId}`;
    expect((await send('GET', project, org.member)).broadcasts).toBe('EVERYONE');
    expect(await says(org.member)).toBe(true);
    expect((await allow('ADMINS')).broadcasts).toBe('ADMINS');
    expect([await says(org.member), await says(org.admin)]).toEqual([false, true]);
    await allow('NOBODY');
    expect([await says(org.admin), await says(org.owner)]).toEqual([false, false]);
    expect((await told(org.admin)).length).toBe(1);
    const audit = await send('GET', `/api/org/${org.orgId}/audit`, org.owner);
    expect(JSON.stringify(audit.items)).toContain('"fields":["broadcasts"]');
  });

  it('200: a member who created the Project, and one that was created so', async () => {
    const body = { name: 'Own', broadcasts: 'ADMINS' };
    const { id, slug, broadcasts } = await send('POST', '/api/projects', org.member, body);
    expect(broadcasts).toBe('ADMINS');
    projectId = id;
    const path = `/api/spaces/${slug}/sessions`;
    session = `${path}/${(await send('POST', path, org.member, { name: 'Talk' })).id}`;
    expect([await says(org.member), await says(outsider)]).toEqual([true, false]);
  });

  it('400: another rule; 403: a MEMBER who did not create it', async () => {
    const patch = (by: Person, broadcasts: string) =>
      call('PATCH', `/api/projects/${projectId}`, by, { broadcasts });
    expect((await patch(org.owner, 'SOME')).status).toBe(400);
    expect((await patch(org.member, 'NOBODY')).status).toBe(403);
  });

  it('201: no MCP client', async () => {
    const client = await connectMcp(server.origin, org.owner.key, 'legacy');
    const [, slug = '', sessionId = ''] = /spaces\/(.+)\/sessions\/(.+)/.exec(session) ?? [];
    const { data } = await callTool(client, 'post_message', { slug, sessionId, body: '@everyone' });
    expect(data).toMatchObject({ mentions: ['everyone'], broadcast: null });
    await client.close();
    expect(await told(org.admin)).toEqual([]);
  });

  it('201: somebody who had the word as a handle before is mentioned by it', async () => {
    const values = [org.orgId, org.admin.userId];
    await server.db.query(
      `UPDATE mention_names SET name = 'everyone' WHERE org_id = $1 AND user_id = $2`,
      values,
    );
    await server.db.query(
      `UPDATE memberships SET handle = 'everyone' WHERE org_id = $1 AND user_id = $2`,
      values,
    );
    expect(await send('PATCH', '/api/me', org.admin, { handle: 'everyone' })).toMatchObject({
      handle: 'everyone',
    });
    expect(await post('@everyone')).toMatchObject({
      mentionedUserIds: [org.admin.userId],
      broadcast: null,
    });
    expect(await told(org.member)).toEqual([]);
  });
});

it('409 slug_taken: nobody can take the words as a name from now on', async () => {
  for (const word of ['here', 'everyone', 'channel', 'all']) {
    const person = await call('PATCH', '/api/me', org.admin, { handle: word });
    const agent = await call('POST', '/api/agents', org.admin, { slug: word, name: 'Agent' });
    expect([person.status, agent.status]).toEqual([409, 409]);
    expect(agent.json.error.details).toEqual({ reason: 'slug_taken', slug: word });
  }
});
