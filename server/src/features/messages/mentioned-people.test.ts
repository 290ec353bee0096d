import { beforeAll, describe, expect, it } from 'vitest';
import { dataOf, problemsOf } from '../../../test/harness/clients/envelope.ts';
import { addPerson, type Person } from '../../../test/harness/factories.ts';
import { useServerWithOrg, useTestOrg } from '../../../test/harness/processes/use-test-org.ts';

const { server, call, org } = useServerWithOrg();
let outsider: Person;
const elsewhere = useTestOrg(() => server.db);

beforeAll(async () => {
  outsider = await addPerson(server.db, org.orgId, 'MEMBER');
  const closed = { name: 'Closed', access: 'MEMBERS' };
  const { id } = (await call('POST', '/api/projects', org.owner, closed)).json.data;
  await call('PUT', `/api/projects/${id}/members/${org.member.userId}`, org.owner);
  for (const [person, handle] of [
    [org.owner, 'owner'],
    [org.admin, 'admin'],
    [org.member, 'mem_'],
    [outsider, 'out'],
    [elsewhere.owner, 'far'],
  ] as const) {
    const reply = await call('PATCH', '/api/me', person, { handle });
    expect(reply.status, reply.text).toBe(200);
  }
});

async function post(body: string, key = org.owner.key) {
  const session = { key: org.owner.key, body: { name: 's' } };
  const made = await call('POST', '/api/spaces/closed/sessions', session);
  const path = `/api/spaces/closed/sessions/${made.json.data.id}/messages`;
  return dataOf(await call('POST', path, { key, body: { body } }), 201);
}

it('has the members of the Project that the body mentions, each once, in order', async () => {
  const { owner, admin, member } = org;
  const { mentionedUserIds, mentions } = await post('@MEM_ and @admin. @mem_, `@owner` @recall @x');
  expect(mentionedUserIds).toEqual([member.userId, admin.userId]);
  expect(mentions).toEqual(['mem_', 'admin', 'recall', 'x']);
  expect((await post('I am @owner.')).mentionedUserIds).toEqual([owner.userId]);
});

it('has nobody outside the Project, in another organisation, or in code', async () => {
  const body = '@out @far a@owner.com\n```\n@mem_\n```\n@nobody @admin2';
  expect((await post(body)).mentionedUserIds).toEqual([]);
});

it('does not have a person whose handle is a model’s name', async () => {
  await server.db.query(`UPDATE memberships SET handle = 'recall' WHERE user_id = $1`, [
    org.admin.userId,
  ]);
  const message = await post('@recall, who are you?');
  expect([message.mentionedUserIds, message.pendingReplies.length]).toEqual([[], 1]);
  await server.db.query(`UPDATE memberships SET handle = 'admin' WHERE user_id = $1`, [
    org.admin.userId,
  ]);
});

it('follows an edit, and is empty after a deletion', async () => {
  const { id } = await post('@mem_');
  const path = `/api/spaces/closed/messages/${id}`;
  const edited = await call('PATCH', path, org.owner, { body: '@admin instead' });
  expect(edited.json.data.mentionedUserIds).toEqual([org.admin.userId]);
  expect((await call('DELETE', path, org.owner)).status).toBe(204);
  expect((await call('GET', path, org.owner)).json.data.mentionedUserIds).toEqual([]);
});

it('400: 10,000 mentions, which are longer than a message may be', async () => {
  const made = await call('POST', '/api/spaces/closed/sessions', org.owner, { name: 's' });
  const path = `/api/spaces/closed/sessions/${made.json.data.id}/messages`;
  const body = { body: '@mem_ '.repeat(10_000) };
  expect(problemsOf(await call('POST', path, org.owner, body))).toEqual(['body.body too_long']);
  const { json } = await call('GET', path, org.owner);
  expect(json.data.items).toEqual([]);
});

it('has at most 50 people, of whatever number of mentions', async () => {
  const people = await server.db.query<{ handle: string; id: string }>(
    `WITH made AS (INSERT INTO users (id, email, email_key, name)
       SELECT 'cmany' || n, 'many' || n, 'many' || n, 'Many' FROM generate_series(1, 60) n RETURNING id)
     INSERT INTO memberships (org_id, user_id, role, handle)
     SELECT $1, id, 'ADMIN', substr(id, 2) FROM made RETURNING handle, user_id AS id`,
    [org.orgId],
  );
  const written = people.map(({ handle }) => `@${handle}`).join(' ');
  const others = Array.from({ length: 4_500 }, (_, at) => `@${at.toString(36)}`).join(' ');
  const { mentionedUserIds } = await post(`${others.slice(0, 19_000)} ${written}`);
  expect(mentionedUserIds).toEqual(people.slice(0, 50).map(({ id }) => id));
});

/** A Project with these people, by name, and a session in it. */
async function openRoom(names: readonly string[]) {
  const ids: string[] = [];
  const made = await call('POST', '/api/projects', org.owner, {
    name: `Room of ${names[0]}`,
    access: 'MEMBERS',
  });
  const { id, slug } = made.json.data;
  for (const name of names) {
    const { userId } = await addPerson(server.db, org.orgId, 'MEMBER');
    await server.db.query('UPDATE users SET name = $2 WHERE id = $1', [userId, name]);
    await call('PUT', `/api/projects/${id}/members/${userId}`, org.owner);
    ids.push(userId);
  }
  const session = await call('POST', `/api/spaces/${slug}/sessions`, org.owner, { name: 's' });
  const path = `/api/spaces/${slug}/sessions/${session.json.data.id}/messages`;
  const say = async (body: string) => dataOf(await call('POST', path, org.owner, { body }), 201);
  return { ids, slug, say, named: async (body: string) => (await say(body)).mentionedUserIds };
}

describe('a name that is not a handle', () => {
  it('mentions the one person of the Project who has it, as first name or whole', async () => {
    const { ids, named } = await openRoom(['Berta Lind', 'Jürgen Öz', 'Анна Ким', 'Ada-Marie Roe']);
    const [berta, jurgen, anna, ada] = ids;
    expect(await named('@Berta, can you?')).toEqual([berta]);
    expect(await named('@berta lind, and @BERTA.')).toEqual([berta]);
    expect(await named('@berta.lind’s plan')).toEqual([berta]);
    expect(await named('@Jürgen and @jurgen')).toEqual([jurgen]);
    expect(await named('@анна')).toEqual([anna]);
    expect(await named('@ada-marie and @Berta')).toEqual([ada, berta]);
    expect(await named('`@Berta` b@Berta.de @Bert @Lind @here @everyone')).toEqual([]);
  });

  it('mentions nobody if two have it, unless the whole name says whom', async () => {
    const { ids, named } = await openRoom(['Carla Ost', 'Carla West']);
    expect(await named('@Carla')).toEqual([]);
    expect(await named('@Carla West should know')).toEqual([ids[1]]);
  });

  it('mentions nobody in place of somebody who cannot read it', async () => {
    const { ids, named } = await openRoom(['Dora Inside']);
    const { userId } = await addPerson(server.db, org.orgId, 'MEMBER');
    await server.db.query(`UPDATE users SET name = 'Dora Outside' WHERE id = $1`, [userId]);
    expect(await named('@Dora')).toEqual(ids);
    expect(await named('@Dora Outside')).toEqual([]);
  });

  it('mentions nobody if it is another’s handle or an agent’s', async () => {
    const { named } = await openRoom(['Emil Berg', 'Fritz Tal']);
    await call('PATCH', '/api/me', outsider, { handle: 'emil' });
    const agent = { slug: 'fritz', name: 'F', instructions: 'x', isEnabled: false };
    dataOf(await call('POST', '/api/agents', org.owner, agent), 201);
    expect(await named('@Emil @Fritz')).toEqual([]);
    await call('PATCH', '/api/me', outsider, { handle: 'out' });
    expect(await named('@Emil')).toEqual([]); // It rests, so that old mentions keep their meaning.
  });

  it('follows an edit', async () => {
    const { ids, slug, say } = await openRoom(['Greta Au']);
    const { id } = await say('@nobody');
    const path = `/api/spaces/${slug}/messages/${id}`;
    const edited = await call('PATCH', path, org.owner, { body: '@Greta' });
    expect(edited.json.data.mentionedUserIds).toEqual(ids);
  });
});

it('has nobody who is no participant of a private session', async () => {
  const { ids, slug } = await openRoom(['Hanna In', 'Ida Out']);
  const body = { name: 'p', access: 'PARTICIPANTS', participantUserIds: [ids[0]] };
  const made = await call('POST', `/api/spaces/${slug}/sessions`, org.owner, body);
  const path = `/api/spaces/${slug}/sessions/${dataOf(made, 201).id}/messages`;
  const posted = await call('POST', path, org.owner, { body: '@Hanna @Ida' });
  expect(dataOf(posted, 201).mentionedUserIds).toEqual([ids[0]]);
});
