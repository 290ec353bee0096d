import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { dataOf, expectError, problemsOf } from '../../../../test/harness/clients/envelope.ts';
import { addPerson, createTestOrg, type Person } from '../../../../test/harness/factories.ts';
import { ON_CITUS } from '../../../../test/harness/databases/postgres-servers.ts';
import { useServerWithOrg } from '../../../../test/harness/processes/use-test-org.ts';
import { indexMessages } from './index-job.ts';

interface Match {
  message: { id: string; body: string };
  session: { id: string; name: string };
  project: { id: string; slug: string };
  score: number;
  highlights: { start: number; end: number }[];
}

const { server, call, send, org } = useServerWithOrg();
let open: Place;
let closed: Place;
let number = 0;

interface Place {
  projectId: string;
  slug: string;
  sessionId: string;
}

beforeAll(async () => {
  open = await createPlace({});
  closed = await createPlace({ access: 'MEMBERS' });
});

async function createPlace(project: object): Promise<Place> {
  const body = { name: `Place ${++number}`, ...project };
  const { id, slug } = await send('POST', '/api/projects', org.owner, body);
  const sessions = `/api/spaces/${slug}/sessions`;
  const session = await send('POST', sessions, org.owner, { name: `Session ${number}` });
  return { projectId: id, slug, sessionId: session.id };
}

const post = (body: string, { slug, sessionId } = open, by = org.owner) =>
  send('POST', `/api/spaces/${slug}/sessions/${sessionId}/messages`, by, { body });
const ask = (body: object, by = org.member) => call('POST', '/api/messages/search', by, body);
async function search(query: string, more: object = {}, by = org.member): Promise<Match[]> {
  const reply = await ask({ query, ...more }, by);
  expect(dataOf(reply, 200).total).toBe(reply.json.data.items.length);
  return reply.json.data.items;
}
const bodies = async (...asked: Parameters<typeof search>) =>
  (await search(...asked)).map(({ message }) => message.body);

describe('POST /messages/search', () => {
  it('200: a match has the message, its session and Project, a score and highlights', async () => {
    const message = await post('🙂 Where are the aardvarks?');
    expect(await search('aardvark')).toEqual([
      {
        message,
        session: { id: open.sessionId, name: 'Session 1', title: null },
        project: { id: open.projectId, slug: open.slug, name: 'Place 1' },
        score: 1,
        highlights: [{ start: 16, end: 25 }],
      },
    ]);
  });

  it('200: any word matches; more and rarer ones rank higher, and newer ones among equals', async () => {
    for (const body of ['zebra one', 'zebra two', 'zebra quagga', 'quagga', 'zebra three']) {
      await post(body);
    }
    const found = await search('zebra quagga okapi');
    expect(found.map(({ message }) => message.body)).toEqual([
      'zebra quagga',
      'quagga',
      'zebra three',
      'zebra two',
      'zebra one',
    ]);
    const scores = found.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores[0]).toBeLessThan(1);
    expect(await bodies('zebra', { limit: 2 })).toEqual(['zebra three', 'zebra quagga']);
  });

  it('200: words are folded and stemmed, also in scripts without spaces', async () => {
    await post('Die Straßenbahn in Genève fährt');
    await post('私は東京都に住んでいます');
    expect(await bodies('geneve')).toEqual(['Die Straßenbahn in Genève fährt']);
    expect(await bodies('東京')).toEqual(['私は東京都に住んでいます']);
    await post('She went running');
    expect(await bodies('ran')).toEqual(['She went running']);
  });

  it('200: a quoted phrase must occur', async () => {
    await post('The narwhal budget is approved');
    await post('The budget of the narwhal');
    expect(await bodies('"narwhal budget"')).toEqual(['The narwhal budget is approved']);
    expect(await bodies('"budget narwhal" approved')).toEqual([]);
    expect(await bodies('narwhal budget')).toHaveLength(2);
  });

  it('200: filters by Project, session, author, agent and time', async () => {
    const other = await createPlace({});
    await post('wombat here');
    const there = await post('wombat there', other, org.member);
    expect(await bodies('wombat', { projectId: other.projectId })).toEqual(['wombat there']);
    expect(await bodies('wombat', { sessionId: open.sessionId })).toEqual(['wombat here']);
    expect(await bodies('wombat', { ...other, slug: undefined })).toEqual(['wombat there']);
    expect(await bodies('wombat', { authorUserId: org.member.userId })).toEqual(['wombat there']);
    expect(await bodies('wombat', { authorUserId: 'nobody' })).toEqual([]);
    expect(await bodies('wombat', { agent: 'recall' })).toEqual([]);
    const { createdAt } = there;
    expect(await bodies('wombat', { createdAfter: createdAt })).toEqual(['wombat there']);
    expect(await bodies('wombat', { createdBefore: createdAt })).toEqual(['wombat here']);
    for (const range of [
      { createdAfter: '9999-12-31T23:59:59Z' },
      { createdBefore: '0001-01-01T00:00:00Z' },
    ]) {
      expect(await bodies('wombat', range)).toEqual([]);
    }
    const wide = { createdAfter: '0001-01-01T00:00:00Z', createdBefore: '9999-12-31T23:59:59Z' };
    expect(await bodies('wombat', wide)).toHaveLength(2);
  });

  it('200: finds only messages that have a link, code, a reaction, a reply', async () => {
    await post('quokka');
    await post('quokka on https://example.com');
    await post('quokka in `code`');
    const liked = await post('quokka, liked');
    const path = `/api/spaces/${open.slug}/messages/${liked.id}/reactions`;
    await send('POST', path, org.owner, { emoji: '👍' });
    const answered = await post('quokka, answered, on http://example.com');
    const reply = { body: 'Yes', parentMessageId: answered.id };
    const { slug, sessionId } = open;
    await send('POST', `/api/spaces/${slug}/sessions/${sessionId}/messages`, org.owner, reply);
    expect(await bodies('quokka', { has: ['link'] })).toEqual([
      'quokka, answered, on http://example.com',
      'quokka on https://example.com',
    ]);
    expect(await bodies('quokka', { has: ['code'] })).toEqual(['quokka in `code`']);
    expect(await bodies('quokka', { has: ['reaction'] })).toEqual(['quokka, liked']);
    expect(await bodies('quokka', { has: ['reply', 'link'] })).toEqual([
      'quokka, answered, on http://example.com',
    ]);
    expect(await bodies('quokka', { has: ['code', 'link'] })).toEqual([]);
    // Fewer than the limit are asked for, and the newest have no link.
    for (let at = 0; at < 25; at++) await post(`quokka ${at}`);
    expect(await bodies('quokka', { has: ['code'], limit: 1 })).toEqual(['quokka in `code`']);
    expect(await bodies('quokka', { has: [] })).toHaveLength(20);
  });

  it('200: an edit or deletion counts at once', async () => {
    const message = await post('The lemur sleeps');
    const path = `/api/spaces/${open.slug}/messages/${message.id}`;
    await send('PATCH', path, org.owner, { body: 'The tapir sleeps' });
    expect([await bodies('lemur'), await bodies('tapir')]).toEqual([[], ['The tapir sleeps']]);
    await send('DELETE', path, org.owner);
    expect(await bodies('tapir')).toEqual([]);
  });

  it('200: archived sessions and Projects are searched too', async () => {
    const place = await createPlace({});
    await post('an ibex', place);
    await send('DELETE', `/api/spaces/${place.slug}/sessions/${place.sessionId}`, org.owner);
    expect(await bodies('ibex')).toEqual(['an ibex']);
    await send('DELETE', `/api/projects/${place.projectId}`, org.owner);
    expect(await bodies('ibex')).toEqual(['an ibex']);
  });

  it('200: only members of the Project find its messages, from the moment they are', async () => {
    await post('the hidden capybara', closed);
    const person = await addPerson(server.db, org.orgId, 'MEMBER');
    const member = `/api/projects/${closed.projectId}/members/${person.userId}`;
    const found = () => bodies('capybara', {}, person);
    expect(await found()).toEqual([]);
    await send('PUT', member, org.owner);
    expect(await found()).toEqual(['the hidden capybara']);
    await send('DELETE', member, org.owner);
    expect(await found()).toEqual([]);
    const stranger = await createTestOrg(server.db);
    expect(await bodies('capybara', {}, stranger.owner)).toEqual([]);
  });

  it('200: only participants find messages of a private session, from the moment they are', async () => {
    const body = { name: 'Private', access: 'PARTICIPANTS' };
    const { id } = await send('POST', `/api/spaces/${open.slug}/sessions`, org.member, body);
    await post('the secret dingo', { ...open, sessionId: id }, org.member);
    const found = (by: Person) => bodies('dingo', {}, by);
    expect(await found(org.member)).toEqual(['the secret dingo']);
    expect([await found(org.owner), await found(org.admin)]).toEqual([[], []]);
    const change = (...people: { userId: string }[]) =>
      send('PATCH', `/api/spaces/${open.slug}/sessions/${id}`, org.member, {
        participantUserIds: people.map(({ userId }) => userId),
      });
    await change(org.member, org.admin);
    expect(await found(org.admin)).toEqual(['the secret dingo']);
    expect(await bodies('dingo', { sessionId: id }, org.admin)).toHaveLength(1);
    await change(org.member);
    expect(await found(org.admin)).toEqual([]);
    for (const filter of [{ sessionId: id }, { projectId: open.projectId, sessionId: id }]) {
      expectError(await ask({ query: 'dingo', ...filter }, org.owner), 'NOT_FOUND');
    }
  });

  it('200: what is not visible changes neither order nor scores', async () => {
    for (const body of ['gecko', 'newt', 'gecko newt', 'newt again']) await post(body);
    const before = await search('gecko newt');
    for (let at = 0; at < 20; at++) await post(`gecko ${at}`, closed);
    expect(await search('gecko newt')).toEqual(before);
    expect(await search('gecko newt', {}, org.owner)).not.toEqual(before);
  });

  it('200: nothing, for queries without a word to look for', async () => {
    for (const query of ['the of and', '""', '"" AND -*()', '?!', '"to be or not to be"']) {
      expect(await bodies(query)).toEqual([]);
    }
  });

  it('200: a query of 2,000 characters', async () => {
    await post('an axolotl');
    const filler = Array.from({ length: 400 }, (_, at) => `x${at}`).join(' ');
    expect(await bodies(`axolotl ${filler}`.slice(0, 2_000))).toEqual(['an axolotl']);
    expect(await bodies(`"axolotl ${'"'.repeat(1_990)}`)).toEqual(['an axolotl']);
  });

  it('400: bad fields, all at once', async () => {
    const cases: [object, string[]][] = [
      [{}, ['body.query required']],
      [{ query: ' \n' }, ['body.query required']],
      [{ query: 'x'.repeat(2_001) }, ['body.query too_long']],
      [{ query: 'a\0b' }, ['body.query invalid_character']],
      [{ query: 'a\ud800' }, ['body.query invalid_character']],
      [
        { query: 'x', limit: 101, createdAfter: 'today', agent: 'a b', typo: 1 },
        [
          'body.limit too_big',
          'body.createdAfter invalid_format',
          'body.agent invalid_format',
          'body.typo unknown_field',
        ],
      ],
    ];
    for (const [body, problems] of cases) {
      expect(problemsOf(await ask(body)).toSorted()).toEqual(problems.toSorted());
    }
  });

  it('403: a Project, or a session of one, that the caller is not a member of', async () => {
    const { projectId, sessionId } = closed;
    for (const filter of [{ projectId }, { sessionId }, { projectId, sessionId }]) {
      const details = expectError(await ask({ query: 'x', ...filter }), 'FORBIDDEN');
      expect(details).toEqual({ reason: 'not_project_member' });
    }
  });

  it('404: a private session of a Project that the caller is not a member of', async () => {
    const body = { name: 'Private', access: 'PARTICIPANTS' };
    const { id } = await send('POST', `/api/spaces/${closed.slug}/sessions`, org.owner, body);
    expectError(await ask({ query: 'x', sessionId: id }), 'NOT_FOUND');
  });

  it("404: unknown ids, another org's, a session of another Project", async () => {
    const stranger = (await createTestOrg(server.db)).owner;
    const { projectId, sessionId } = open;
    for (const [filter, by] of [
      [{ projectId: 'x' }, org.owner],
      [{ sessionId: 'x' }, org.owner],
      [{ projectId: closed.projectId, sessionId }, org.owner],
      [{ projectId }, stranger],
      [{ sessionId }, stranger],
    ] as const) {
      expectError(await ask({ query: 'x', ...filter }, by), 'NOT_FOUND');
    }
  });
});

describe('messages that are not indexed', () => {
  const log = pino({ level: 'silent' });
  const index = () =>
    indexMessages({ db: server.db, log }, { orgId: org.orgId }, new AbortController().signal);
  const isDegraded = async () => (await ask({ query: 'x' })).json.data.degraded;

  it('are found once the job has indexed them, long ones too', async () => {
    const words = Array.from({ length: 3_000 }, (_, at) => `w${at}x`)
      .join(' ')
      .slice(0, 19_900);
    await post(`an old okapi, ${words}`);
    await post('another okapi');
    const before = await bodies('okapi');
    await server.db.query('UPDATE messages SET search_keys = NULL WHERE org_id = $1', [org.orgId]);
    expect([await bodies('okapi'), await isDegraded()]).toEqual([[], true]);
    await index();
    expect([await bodies('okapi'), await isDegraded()]).toEqual([before, false]);
    expect(before).toHaveLength(2);
  });

  it.skipIf(ON_CITUS)(
    'are those that release 0.1.0 posts, edits and deletes, and no others',
    async () => {
      const [edited, deleted] = [await post('the first kiwi'), await post('the second kiwi')];
      const change = (set: string, id: string) =>
        server.db.query(`UPDATE messages SET ${set} WHERE org_id = $1 AND id = $2`, [
          org.orgId,
          id,
        ]);
      await change(`body = 'the edited kiwi', edited_at = now()`, edited.id);
      await change(`body = '', deleted_at = now()`, deleted.id);
      await server.db.query(
        `WITH place AS (UPDATE sessions SET last_position = last_position + 1
         WHERE org_id = $1 AND id = $2 RETURNING last_position)
       INSERT INTO messages (org_id, id, session_id, position, author_kind, author_user_id, body,
         mentions, status, citations, tool_calls, created_at)
       SELECT $1, 'c00000000000000000000kiwi', $2, last_position, 'USER', $3, 'an old kiwi', '{}',
         'COMPLETED', '[]', '[]', '2020-01-01' FROM place`,
        [org.orgId, open.sessionId, org.owner.userId],
      );
      expect([await bodies('kiwi'), await isDegraded()]).toEqual([[], true]);
      await index();
      expect(await bodies('kiwi')).toEqual(['the edited kiwi', 'an old kiwi']);
      expect(await bodies('first second')).toEqual([]);
      expect(await isDegraded()).toBe(false);
    },
  );
});
