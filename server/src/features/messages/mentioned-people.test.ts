import { beforeAll, expect, it } from 'vitest';
import { dataOf, problemsOf } from '../../../test/harness/clients/envelope.ts';
import { addPerson, type Person } from '../../../test/harness/factories.ts';
import { useTestServer } from '../../../test/harness/processes/use-test-server.ts';
import { useTestOrg } from '../../../test/harness/processes/use-test-org.ts';

const server = useTestServer();
const { call } = server;
const org = useTestOrg(() => server.db);
let outsider: Person;
const elsewhere = useTestOrg(() => server.db);

beforeAll(async () => {
  outsider = await addPerson(server.db, org.orgId, 'MEMBER');
  const { key } = org.owner;
  const closed = { name: 'Closed', access: 'MEMBERS' };
  const { id } = (await call('POST', '/api/projects', { key, body: closed })).json.data;
  await call('PUT', `/api/projects/${id}/members/${org.member.userId}`, { key });
  for (const [person, handle] of [
    [org.owner, 'owner'],
    [org.admin, 'admin'],
    [org.member, 'mem_'],
    [outsider, 'out'],
    [elsewhere.owner, 'far'],
  ] as const) {
    const reply = await call('PATCH', '/api/me', { key: person.key, body: { handle } });
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
  const { key } = org.owner;
  const edited = await call('PATCH', path, { key, body: { body: '@admin instead' } });
  expect(edited.json.data.mentionedUserIds).toEqual([org.admin.userId]);
  expect((await call('DELETE', path, { key })).status).toBe(204);
  expect((await call('GET', path, { key })).json.data.mentionedUserIds).toEqual([]);
});

it('400: 10,000 mentions, which are longer than a message may be', async () => {
  const { key } = org.owner;
  const made = await call('POST', '/api/spaces/closed/sessions', { key, body: { name: 's' } });
  const path = `/api/spaces/closed/sessions/${made.json.data.id}/messages`;
  const body = { body: '@mem_ '.repeat(10_000) };
  expect(problemsOf(await call('POST', path, { key, body }))).toEqual(['body.body too_long']);
  const { json } = await call('GET', path, { key });
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
