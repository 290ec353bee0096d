import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINE } from '../harness/databases/database.ts';
import { addPerson } from '../harness/factories.ts';
import {
  startMemoryWorld,
  type MemoryWorld,
  type ModelCaller,
} from '../harness/models/memory-world.ts';

/** As many as there is time for; `npm run test:race` runs 2,000. */
const SEARCHES = 80;
const ROUNDS = 4;

let world: MemoryWorld;

beforeAll(async () => {
  world = await startMemoryWorld(20_261_115);
});
afterAll(() => world.stop());

describe('random callers', () => {
  it('find and list exactly what a naive model says they can see, while everything changes', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await world.searchAtRandom(SEARCHES / ROUNDS);
      await world.listAtRandom(SEARCHES / ROUNDS / 10);
      await world.changeAtRandom(20);
    }
  }, 120_000);
});

describe("a teammate's PRIVATE memories", () => {
  const QUERIES = ['puppy', 'price of a seat', 'the Lisbon train ticket', 'zeugma'];

  /** Everything the caller can see: results, scores, totals, pages. Byte for byte, except the metadata. */
  async function answersTo(caller: ModelCaller): Promise<string> {
    const base = caller.userId === null ? '/api/v1/memories' : '/api/memory';
    const answers = [];
    for (const query of QUERIES) {
      const body = { query, limit: 100 };
      answers.push(await world.call('POST', `${base}/search`, { key: caller.key, body }));
    }
    answers.push(await world.call('GET', `${base}?limit=100`, { key: caller.key }));
    for (const { status, text } of answers) expect(status, text).toBe(200);
    return JSON.stringify(answers.map(({ json }) => json.data));
  }

  it('change nothing for anybody else when they are created, changed or deleted', async () => {
    const [org] = world.orgs;
    const teammate = org?.callers[2];
    if (!org || !teammate) throw new Error('there is no teammate');
    const others = org.callers.filter((caller) => caller !== teammate);
    const before: string[] = [];
    for (const caller of others) before.push(await answersTo(caller));
    const own = await answersTo(teammate);
    const expectUnchanged = async () => {
      for (const [at, caller] of others.entries()) {
        expect(await answersTo(caller)).toBe(before[at]);
      }
    };

    const ids: string[] = [];
    for (let at = 0; at < 50; at++) {
      const content = `${QUERIES[at % QUERIES.length]} ${'puppy '.repeat(at % 7)}${at}`;
      const body = {
        content,
        visibility: 'PRIVATE',
        projectId: at % 2 ? org.projects[0]?.id : null,
      };
      const reply = await world.call('POST', '/api/memory', { key: teammate.key, body });
      expect(reply.status, reply.text).toBe(201);
      ids.push(reply.json.data.id);
    }
    await expectUnchanged();
    expect(await answersTo(teammate)).not.toBe(own);

    for (const [at, id] of ids.entries()) {
      const options = { key: teammate.key, body: { content: `zeugma ${at}` } };
      if (at % 2) await world.call('DELETE', `/api/memory/${id}`, options);
      else await world.call('PATCH', `/api/memory/${id}`, options);
    }
    await expectUnchanged();
  }, 120_000);
});

/** Too many rows to score each: copies of rows that the API wrote. */
describe.runIf(ENGINE === 'postgres')('in an org with thousands of memories', () => {
  const COPIES = 120;

  it('nobody finds what they cannot see, and it does not affect their results', async () => {
    const [, org] = world.orgs;
    const [owner] = org?.callers ?? [];
    if (!org || !owner) throw new Error('the world is too small');
    // New people, because what the others may see is random by now.
    const join = async (): Promise<ModelCaller> => {
      return { ...(await addPerson(world.server.db, org.orgId, 'MEMBER')), role: 'MEMBER' };
    };
    const [member, teammate] = [await join(), await join()];
    const create = async (key: string, body: object) =>
      (await world.call('POST', '/api/memory', { key, body })).json.data.id as string;
    const secret = { content: 'the quokka of the Lisbon office', visibility: 'PRIVATE' };
    const ofTeammate = await create(teammate.key, secret);
    const ofMember = await create(member.key, { content: 'my own quokka', visibility: 'PRIVATE' });
    const closed = { name: 'Elsewhere', access: 'MEMBERS' };
    const reply = await world.call('POST', '/api/projects', { key: owner.key, body: closed });
    const projectId = reply.json.data.id;
    await create(owner.key, { content: 'a quokka elsewhere', visibility: 'PROJECT', projectId });
    await copyMemories(org.orgId, `m.visibility <> 'PRIVATE'`);

    const ask = async (caller: ModelCaller, query: string, filter: object = {}) => {
      const body = { query, limit: 20, ...filter };
      const reply = await world.call('POST', '/api/memory/search', { key: caller.key, body });
      expect(reply.status, reply.text).toBe(200);
      return reply.json.data.items as {
        id: string;
        projectId: string | null;
        visibility: string;
        scores: { vector: number | null; lexical: number };
      }[];
    };
    // Copies of one memory are equally near, and so are all memories that have nothing in common with the
    // query. Which of thousands are returned depends on PostgreSQL's plan.
    const matches = (found: Awaited<ReturnType<typeof ask>>) =>
      JSON.stringify(
        found
          .filter(({ scores }) => scores.lexical > 0 || (scores.vector ?? 0) > 0)
          .map((match) => ({ ...match, id: undefined })),
      );
    const queries = ['quokka', 'puppy', 'train to Lisbon', 'invoice lawyer budget'];
    const seen = new Set(await visibleIds(org.orgId, member));
    const before = new Map<string, string>();
    for (const query of queries) {
      const found = await ask(member, query);
      expect(found).toHaveLength(20);
      expect(found.filter(({ id }) => !seen.has(id))).toEqual([]);
      before.set(query, matches(found));
    }
    expect((await ask(member, 'quokka'))[0]?.id).toBe(ofMember);
    expect((await ask(teammate, 'quokka'))[0]?.id).toBe(ofTeammate);
    expect((await ask(owner, 'quokka')).map(({ visibility }) => visibility)).not.toContain(
      'PRIVATE',
    );

    await copyMemories(org.orgId, `m.id = '${ofTeammate}'`, 2_000);
    for (const query of queries) {
      expect(matches(await ask(member, query))).toBe(before.get(query));
    }
  }, 120_000);

  /** With the statistics that result. */
  async function copyMemories(orgId: string, which: string, copies = COPIES): Promise<void> {
    const { db } = world.server;
    await db.query(
      `INSERT INTO memories (org_id, id, owner_user_id, visibility, project_id, content, tags, source_url,
         terms, term_weights, embedding, embedding_model, token_vectors, token_model, created_at, updated_at)
       SELECT m.org_id, 'c' || left(md5(m.id || copy), 24), m.owner_user_id, m.visibility, m.project_id,
         m.content, m.tags, m.source_url, m.terms, m.term_weights, m.embedding, m.embedding_model,
         m.token_vectors, m.token_model, m.created_at, m.updated_at
       FROM memories m CROSS JOIN generate_series(1, ${copies}) copy WHERE m.org_id = $1 AND ${which}`,
      [orgId],
    );
    await db.query('DELETE FROM memory_scopes WHERE org_id = $1', [orgId]);
    await db.query('DELETE FROM memory_terms WHERE org_id = $1', [orgId]);
    await db.query(
      `INSERT INTO memory_scopes SELECT org_id, scope, count(*) FROM memories WHERE org_id = $1
       GROUP BY org_id, scope`,
      [orgId],
    );
    await db.query(
      `INSERT INTO memory_terms SELECT org_id, scope, term, count(*) FROM memories, unnest(terms) term
       WHERE org_id = $1 GROUP BY org_id, scope, term`,
      [orgId],
    );
  }

  /** As seen by somebody who was added to no Project. */
  async function visibleIds(orgId: string, { userId }: ModelCaller): Promise<string[]> {
    const projects = world.orgs[1]?.projects.filter(({ access }) => access === 'ORG');
    const rows = await world.server.db.query<{ id: string }>(
      `SELECT id FROM memories WHERE org_id = $1 AND (visibility = 'ORG'
         OR (visibility = 'PRIVATE' AND owner_user_id = $2)
         OR (visibility = 'PROJECT' AND project_id = ANY ($3)))`,
      [orgId, userId, projects?.map(({ id }) => id)],
    );
    return rows.map(({ id }) => id);
  }
});
