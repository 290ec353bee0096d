import { beforeAll, describe, expect, it } from 'vitest';
import { createCaller } from '../../../test/harness/clients/client.ts';
import { dataOf, problemsOf, reasonOf } from '../../../test/harness/clients/envelope.ts';
import {
  addPerson,
  createTestOrg,
  keyWithScopes,
  type Person,
} from '../../../test/harness/factories.ts';
import { startTestServer } from '../../../test/harness/processes/server.ts';
import { useServerWithOrg, useTestOrg } from '../../../test/harness/processes/use-test-org.ts';

const { server, call, org } = useServerWithOrg();
const otherOrg = useTestOrg(() => server.db);
let outsider: Person;
let open: string;
let closed: string;

const NOTES = {
  price: 'We decided to charge 12 EUR a seat from January, and to keep the free plan.',
  pet: 'Caroline adopted a puppy from the shelter last spring.',
  server: 'The database moved to the new machine in Frankfurt.',
  lunch: 'Marcus ate noodles for lunch on Tuesday.',
};
type Note = keyof typeof NOTES;
const ids = {} as Record<Note, string>;

beforeAll(async () => {
  outsider = await addPerson(server.db, org.orgId, 'MEMBER');
  open = await createProject({ name: 'Open' });
  closed = await createProject({ name: 'Closed', access: 'MEMBERS' });
  for (const [name, content] of Object.entries(NOTES)) {
    ids[name as Note] = (await create({ content, tags: [name, 'note'] })).id;
  }
});

async function createProject(body: object): Promise<string> {
  return (await call('POST', '/api/projects', org.owner, body)).json.data.id;
}

async function create(body: object, key = org.owner.key) {
  const complete = { visibility: 'ORG', ...body };
  return dataOf(await call('POST', '/api/memory', { key, body: complete }), 201);
}

const post = (body: unknown, key = org.member.key) =>
  call('POST', '/api/memory/search', { key, body });

interface Match {
  id: string;
  content: string;
  createdAt: string;
  score: number;
  scores: { vector: number | null; lexical: number; rerank: number | null };
}

async function search(body: object, key = org.member.key): Promise<Match[]> {
  const reply = await post(body, key);
  expect(reply.status, reply.text).toBe(200);
  const { items, total, degraded } = reply.json.data;
  expect([total, degraded]).toEqual([items.length, false]);
  return items;
}

const idsOf = (matches: Match[]) => matches.map(({ id }) => id);

describe('POST /memory/search', () => {
  it.each([
    ['what does a seat cost?', 'price'],
    ['Who got a dog?', 'pet'],
    ['where does our data live', 'server'],
    ['What did Marcus eat?', 'lunch'],
    ['eating', 'lunch'],
    ['FRANKFÜRT', 'server'],
  ] as const)('200: %j finds what it means', async (query, name) => {
    expect((await search({ query }))[0]?.id).toBe(ids[name]);
  });

  it('200: the whole record, with a score and its parts, in order, at most ten', async () => {
    const reply = await post({ query: 'noodles' });
    const [first] = reply.json.data.items;
    const memory = (await call('GET', `/api/memory/${ids.lunch}`, org.member)).json;
    const mark = expect.toSatisfy((value: number) => value >= 0 && value <= 1);
    expect(first).toEqual({
      ...memory.data,
      score: mark,
      scores: { vector: mark, lexical: mark, rerank: mark },
    });
    for (let at = 0; at < 8; at++) await create({ content: `filler number ${at}` });
    const matches = await search({ query: 'noodles' });
    expect(matches).toHaveLength(10);
    const scores = matches.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(await search({ query: 'noodles', limit: 100 })).toHaveLength(12);
    expect(await search({ query: 'noodles', limit: 1 })).toEqual(matches.slice(0, 1));
  });

  it('200: the same query gets the same response', async () => {
    const ask = () => search({ query: 'the puppy of Caroline', limit: 100 });
    expect(await ask()).toEqual(await ask());
  });

  it('200: never the vector, or anything else derived from the text', async () => {
    const { text } = await post({ query: 'noodles' });
    expect(text).not.toMatch(/embedding"|terms|tokenVectors|weights|\[-?0\.\d+,/);
  });

  it.each(['?!', 'the of and', '🙂', '東', '%_\\\'";--'])(
    '200: any text, such as %j',
    async (query) => {
      expect((await search({ query, limit: 3 })).length).toBe(3);
    },
  );

  it.each([
    ['2,000 letters', 'x'.repeat(2_000)],
    ['2,000 emojis', '🙂'.repeat(2_000)],
    ['one that folds to 36,000 letters', '\ufdfa'.repeat(2_000)],
    ['500 words', Array.from({ length: 500 }, (_, at) => at.toString(36)).join(' ')],
  ])('200: %s', async (_, query) => {
    expect((await search({ query, limit: 3 })).length).toBe(3);
  });

  it('200: the earliest and the latest year', async () => {
    const query = 'noodles';
    expect(await search({ query, createdAfter: '0000-01-01T00:00:00Z' })).not.toEqual([]);
    expect(await search({ query, createdAfter: '9999-12-31T23:59:59-12:00' })).toEqual([]);
  });

  it('200: tags (all of them), visibility, projectId, and a time range', async () => {
    const early = await create({ content: 'A walrus.', tags: ['sea', 'big'], projectId: open });
    const late = await create({
      content: 'A walrus too.',
      tags: ['sea'],
      visibility: 'PROJECT',
      projectId: open,
    });
    const own = await create({ content: 'A walrus.', visibility: 'PRIVATE', tags: ['sea'] });
    const found = async (filter: object) =>
      idsOf(await search({ query: 'walrus', limit: 100, ...filter }, org.owner.key)).toSorted();
    const sorted = (...memories: { id: string }[]) => memories.map(({ id }) => id).toSorted();
    expect(await found({ tags: ['sea'] })).toEqual(sorted(early, late, own));
    expect(await found({ tags: ['big', ' sea '] })).toEqual(sorted(early));
    expect(await found({ tags: ['sea', 'small'] })).toEqual([]);
    expect(await found({ tags: [] })).toEqual(await found({ tags: null }));
    expect(await found({ visibility: 'PRIVATE' })).toEqual(sorted(own));
    expect(await found({ visibility: 'PROJECT' })).toEqual(sorted(late));
    expect(await found({ projectId: open })).toEqual(sorted(early, late));
    expect(await found({ projectId: open, visibility: 'ORG' })).toEqual(sorted(early));
    await server.db.query(`UPDATE memories SET created_at = '2020-02-02T12:00Z' WHERE id = $1`, [
      early.id,
    ]);
    const sea = { tags: ['sea'] };
    expect(await found({ ...sea, createdBefore: '2020-02-02T12:00:00.001Z' })).toEqual(
      sorted(early),
    );
    expect(await found({ ...sea, createdBefore: '2020-02-02T12:00:00Z' })).toEqual([]);
    expect(
      await found({
        createdAfter: '2020-02-02T13:00:00+01:00',
        createdBefore: '2020-02-03T00:00:00Z',
      }),
    ).toEqual(sorted(early));
    expect(await found({ ...sea, createdAfter: '2020-02-02T12:00:00.001Z' })).toEqual(
      sorted(late, own),
    );
  });

  it('200: a threshold drops lower scores', async () => {
    const all = await search({ query: 'puppy from the shelter', limit: 100 });
    const threshold = all[0]?.score ?? 0;
    expect(await search({ query: 'puppy from the shelter', threshold })).toEqual(all.slice(0, 1));
    expect(await search({ query: 'puppy from the shelter', threshold: 1 })).toEqual([]);
    expect(await search({ query: 'puppy from the shelter', threshold: 0, limit: 100 })).toEqual(
      all,
    );
  });

  it('200: a memory has the same score whatever else is requested', async () => {
    const [first] = await search({ query: 'lunch on Tuesday' });
    const filters = [{ limit: 1 }, { tags: ['lunch'] }, { visibility: 'ORG' }, { limit: 100 }];
    for (const filter of filters) {
      expect((await search({ query: 'lunch on Tuesday', ...filter }))[0]).toEqual(first);
    }
  });

  it('counts as a read', async () => {
    const limited = await startTestServer({ env: { RATE_LIMIT_READS: '1' } });
    const send = createCaller(limited.origin);
    const { owner } = await createTestOrg(limited.db);
    const options = { key: owner.key, body: { query: 'a' } };
    expect((await send('POST', '/api/memory/search', options)).status).toBe(200);
    expect((await send('POST', '/api/memory/search', options)).status).toBe(429);
    const body = { content: 'a', visibility: 'ORG' };
    expect((await send('POST', '/api/memory', { key: owner.key, body })).status).toBe(201);
    await limited.stop();
  });

  it.each([
    ['nothing', {}, ['body.query required']],
    ['white space', { query: ' \n' }, ['body.query required']],
    ['2,001 characters', { query: 'x'.repeat(2_001) }, ['body.query too_long']],
    ['2,001 emojis', { query: '🙂'.repeat(2_001) }, ['body.query too_long']],
    ['NUL', { query: 'a\0' }, ['body.query invalid_character']],
    ['limit 0', { query: 'a', limit: 0 }, ['body.limit too_small']],
    ['limit 101', { query: 'a', limit: 101 }, ['body.limit too_big']],
    ['half a limit', { query: 'a', limit: 1.5 }, ['body.limit invalid_type']],
    ['limit as text', { query: 'a', limit: '5' }, ['body.limit invalid_type']],
    ['a threshold over 1', { query: 'a', threshold: 1.01 }, ['body.threshold too_big']],
    ['a visibility', { query: 'a', visibility: 'ALL' }, ['body.visibility invalid_value']],
    ['a day', { query: 'a', createdAfter: '2026-11-15' }, ['body.createdAfter invalid_format']],
    [
      'no zone',
      { query: 'a', createdBefore: '2026-11-15T00:00:00' },
      ['body.createdBefore invalid_format'],
    ],
    [
      'several',
      { query: '', limit: 0, tag: 'x' },
      ['body.limit too_small', 'body.query required', 'body.tag unknown_field'],
    ],
  ])('400: %s', async (_, body, problems) => {
    expect(problemsOf(await post(body)).toSorted()).toEqual(problems);
  });

  it('400: a lone surrogate', async () => {
    expect(problemsOf(await post('{"query":"\\ud83d"}'))).toEqual(['body.query invalid_character']);
  });

  it("403 and 404: a Project the caller is not in, another org's, a missing scope", async () => {
    const ask = (projectId: string, key: string) => post({ query: 'a', projectId }, key);
    const refused = await ask(closed, outsider.key);
    expect(reasonOf(refused)).toEqual([403, 'not_project_member']);
    expect((await ask(closed, org.admin.key)).status).toBe(200);
    for (const projectId of ['x', 'caaaaaaaaaaaaaaaaaaaaaaaa']) {
      expect((await ask(projectId, org.owner.key)).status).toBe(404);
    }
    expect((await ask(open, otherOrg.owner.key)).status).toBe(404);
    const { key } = await keyWithScopes(server.db, org.orgId, org.owner.userId, ['memory:write']);
    expect((await ask(open, key)).json.error.details.reason).toBe('missing_scope');
  });
});
