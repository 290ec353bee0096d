import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemsOf, reasonOf } from '../../../test/harness/clients/envelope.ts';
import { createTestOrg, keyWithScopes } from '../../../test/harness/factories.ts';
import { useMemoryStage } from '../../../test/harness/stages/memory-stage.ts';
import { readStatistics } from '../../../test/harness/models/memory-statistics.ts';

const {
  server,
  call,
  org,
  otherOrg,
  outsider,
  projects,
  createProject,
  create,
  read,
  change,
  remove,
} = useMemoryStage();

/** The lexical score that a word gives a memory; undefined if it is not found at all. */
async function wordMark(query: string, id: string, by = org.member) {
  const body = { query, limit: 100 };
  const { json } = await call('POST', '/api/memory/search', by, body);
  const items = json.data.items as { id: string; scores: { lexical: number } }[];
  return items.find((item) => item.id === id)?.scores.lexical;
}

async function expectExactStatistics(orgId = org.orgId): Promise<void> {
  const { kept, counted } = await readStatistics(server.db, orgId);
  expect(kept).toEqual(counted);
}

describe('PATCH /memory/{memoryId}', () => {
  it('200: the given fields change, the rest stays; an empty body changes nothing', async () => {
    const memory = await create({
      tags: ['a'],
      sourceUrl: 'https://example.com',
      projectId: projects.open,
    });
    expect((await change(memory.id, {})).json.data).toEqual(memory);
    expect((await change(memory.id, { content: null, visibility: null })).json.data).toEqual(
      memory,
    );
    const changed = (await change(memory.id, { content: 'Another note.', tags: [' b ', 'b'] }))
      .json;
    expect(changed.data).toEqual({
      ...memory,
      content: 'Another note.',
      tags: ['b'],
      updatedAt: expect.any(String),
    });
    expect(changed.data.updatedAt >= memory.updatedAt).toBe(true);
    expect((await read(memory.id)).json.data).toEqual(changed.data);
    const cleared = await change(memory.id, { tags: null, sourceUrl: null, projectId: null });
    expect(cleared.json.data).toMatchObject({ tags: [], sourceUrl: null, projectId: null });
  });

  it('200: found by its new words, and no longer by the old', async () => {
    const memory = await create({ content: 'The aardvark sleeps.' });
    expect(await wordMark('aardvark', memory.id)).toBeGreaterThan(0.5);
    await change(memory.id, { content: 'The bandicoot sleeps.' });
    expect(await wordMark('aardvark', memory.id)).toBe(0);
    expect(await wordMark('bandicoot', memory.id)).toBeGreaterThan(0.5);
    await expectExactStatistics();
  });

  it('200: moved between PRIVATE, ORG and PROJECT, it is found by words by those who see it', async () => {
    const memory = await create({ content: 'The cassowary runs.', visibility: 'PRIVATE' });
    const moves: [object, seenByOwner: boolean, seenByOutsider: boolean][] = [
      [{ visibility: 'ORG' }, true, true],
      [{ visibility: 'PROJECT', projectId: projects.closed }, true, false],
      [{ projectId: projects.open }, true, true],
      [{ visibility: 'PRIVATE' }, false, false],
      [{ visibility: 'PROJECT', projectId: projects.closed }, true, false],
      [{ visibility: 'ORG' }, true, true],
      [{ visibility: 'PRIVATE', projectId: null }, false, false],
    ];
    for (const [body, seenByOwner, seenByOutsider] of moves) {
      expect((await change(memory.id, body)).status).toBe(200);
      expect(await wordMark('cassowary', memory.id)).toBeGreaterThan(0.5);
      for (const [person, isSeen] of [
        [org.owner, seenByOwner],
        [outsider, seenByOutsider],
      ] as const) {
        expect((await read(memory.id, person)).status).toBe(isSeen ? 200 : 404);
        const mark = await wordMark('cassowary', memory.id, person);
        expect([body, mark]).toEqual([body, isSeen ? expect.closeTo(1, 1) : undefined]);
      }
      await expectExactStatistics();
    }
  });

  it('200: an OWNER or ADMIN changes what they see of others; its owner stays the same', async () => {
    const memory = await create({ visibility: 'PROJECT', projectId: projects.closed });
    for (const by of [org.owner, org.admin]) {
      const reply = await change(memory.id, { visibility: 'ORG', tags: ['moved'] }, by);
      expect(reply.json.data).toMatchObject({ ownerUserId: org.member.userId, tags: ['moved'] });
    }
  });

  it('400: as for POST, and PROJECT without a Project', async () => {
    const memory = await create({});
    for (const [body, problems] of [
      [{ content: '' }, ['body.content required']],
      [{ content: 'x'.repeat(10_001) }, ['body.content too_long']],
      [
        { content: '\0', tags: [1] },
        ['body.content invalid_character', 'body.tags[0] invalid_type'],
      ],
      [{ sourceUrl: 'javascript:alert(1)' }, ['body.sourceUrl invalid_url']],
      [{ visibility: 'NOBODY' }, ['body.visibility invalid_value']],
      [{ visibility: 'PROJECT' }, ['body.projectId required']],
      [{ visibility: 'PROJECT', projectId: null }, ['body.projectId required']],
      [{ ownerUserId: org.owner.userId }, ['body.ownerUserId unknown_field']],
      [{ embeddingStatus: 'READY' }, ['body.embeddingStatus unknown_field']],
    ] as const) {
      expect(problemsOf(await change(memory.id, body))).toEqual(problems);
    }
    const inProject = await create({ visibility: 'PROJECT', projectId: projects.open });
    expect(problemsOf(await change(inProject.id, { projectId: null }))).toEqual([
      'body.projectId required',
    ]);
    expect((await read(memory.id)).json.data).toEqual(memory);
  });

  it("403: another MEMBER's, making another's PRIVATE, a Project the caller is not in, a missing scope", async () => {
    const memory = await create({});
    for (const [body, by, reason] of [
      [{ tags: [] }, outsider, 'role'],
      [{}, outsider, 'role'],
      [{ visibility: 'PRIVATE' }, org.owner, 'role'],
    ] as const) {
      expect(reasonOf(await change(memory.id, body, by))).toEqual([403, reason]);
    }
    const own = await create({}, outsider);
    const into = [
      { projectId: projects.closed },
      { visibility: 'PROJECT', projectId: projects.closed },
    ];
    for (const body of into) {
      expect(reasonOf(await change(own.id, body, outsider))).toEqual([403, 'not_project_member']);
    }
    const limited = await keyWithScopes(server.db, org.orgId, org.member.userId, ['memory:read']);
    expect(reasonOf(await change(memory.id, {}, limited))).toEqual([403, 'missing_scope']);
    expect((await read(memory.id)).json.data).toEqual(memory);
  });

  it("404: invisible, malformed, another org's; and a missing projectId", async () => {
    const hidden = await create({ visibility: 'PRIVATE' });
    const inClosed = await create({ visibility: 'PROJECT', projectId: projects.closed });
    expect((await change(hidden.id, {}, org.owner)).status).toBe(404);
    expect((await change(inClosed.id, {}, outsider)).status).toBe(404);
    expect((await change(inClosed.id, {}, otherOrg.owner)).status).toBe(404);
    expect((await change('x', {})).status).toBe(404);
    for (const projectId of [projects.foreign, 'x', 'caaaaaaaaaaaaaaaaaaaaaaaa']) {
      expect((await change(inClosed.id, { projectId })).status).toBe(404);
    }
  });

  it('409: into an archived Project; what is in one can still move out', async () => {
    const done = await createProject(org.owner, { name: 'Done' });
    const inside = await create({ visibility: 'PROJECT', projectId: done });
    const outside = await create({ visibility: 'ORG', projectId: projects.open });
    await call('DELETE', `/api/projects/${done}`, org.owner);
    for (const body of [{ projectId: done }, { visibility: 'PROJECT', projectId: done }]) {
      expect(reasonOf(await change(outside.id, body))).toEqual([409, 'project_archived']);
    }
    expect((await change(inside.id, { visibility: 'ORG' })).status).toBe(200);
    expect(reasonOf(await change(inside.id, { visibility: 'PROJECT' }))).toEqual([
      409,
      'project_archived',
    ]);
  });
});

describe('DELETE /memory/{memoryId}', () => {
  it('204: gone from reads, lists, search and statistics; the second time 404', async () => {
    const memory = await create({ content: 'The dugong dives.', tags: ['gone'] });
    expect(await wordMark('dugong', memory.id)).toBeGreaterThan(0);
    expect((await remove(memory.id)).status).toBe(204);
    expect((await read(memory.id)).status).toBe(404);
    expect((await remove(memory.id)).status).toBe(404);
    expect((await change(memory.id, {})).status).toBe(404);
    expect(await wordMark('dugong', memory.id)).toBeUndefined();
    await expectExactStatistics();
  });

  it('204, 403 and 404: its owner, an OWNER or ADMIN who sees it, nobody else', async () => {
    const inClosed = { visibility: 'PROJECT', projectId: projects.closed };
    for (const [body, by, status] of [
      [{ visibility: 'ORG' }, outsider, 403],
      [{ visibility: 'ORG' }, org.admin, 204],
      [{ visibility: 'ORG' }, org.member, 204],
      [{ visibility: 'PROJECT', projectId: projects.open }, outsider, 403],
      [inClosed, outsider, 404],
      [inClosed, org.owner, 204],
      [{ visibility: 'PRIVATE' }, org.owner, 404],
      [{ visibility: 'PRIVATE' }, org.member, 204],
      [{ visibility: 'ORG' }, otherOrg.owner, 404],
    ] as const) {
      const memory = await create(body);
      const reply = await remove(memory.id, by);
      expect([body, reply.status]).toEqual([body, status]);
      if (status === 403) expect(reply.json.error.details.reason).toBe('role');
      expect((await read(memory.id)).status).toBe(status === 204 ? 404 : 200);
    }
  });
});

describe('the audit log', () => {
  it('has changes to what others see, by field name, and nothing of PRIVATE memory', async () => {
    const shared = await create({ content: 'audited' });
    const own = await create({ content: 'unaudited', visibility: 'PRIVATE' });
    for (const { id } of [shared, own]) {
      await change(id, { content: 'changed', tags: [] });
      await remove(id);
    }
    const { json } = await call('GET', `/api/org/${org.orgId}/audit`, org.owner);
    const entries = (json.data.items as { action: string; resourceId: string; details: object }[])
      .filter(({ resourceId }) => [shared.id, own.id].includes(resourceId))
      .map(({ action, resourceId, details }) => ({ action, resourceId, details }));
    expect(entries).toEqual([
      { action: 'memory.deleted', resourceId: shared.id, details: {} },
      { action: 'memory.updated', resourceId: shared.id, details: { fields: ['content'] } },
    ]);
  });
});

describe('the statistics', () => {
  const place = fc.constantFrom('ORG', 'PRIVATE', 'open', 'closed');
  const words = fc
    .array(
      fc.constantFrom('apple', 'apples', 'bread', 'Bread', 'the', '東京都', '🙂', 'ate', 'eat'),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    .map((list) => list.join(' '));
  const step = fc.record({
    kind: fc.constantFrom('create', 'create', 'patch', 'move', 'delete'),
    by: fc.nat(2),
    at: fc.nat(),
    place,
    content: words,
  });

  it('equal a recount after any sequence of creating, changing, moving and deleting', async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 30 }),
      async (steps) => {
        const fresh = await createTestOrg(server.db);
        const people = [fresh.owner, fresh.admin, fresh.member];
        const access = { open: 'ORG', closed: 'MEMBERS' };
        const ownProjects = {
          open: await createProject(fresh.owner, { name: 'o', access: access.open }),
          closed: await createProject(fresh.owner, { name: 'c', access: access.closed }),
        };
        const where = (name: string) =>
          name === 'open' || name === 'closed'
            ? { visibility: 'PROJECT', projectId: ownProjects[name] }
            : { visibility: name };
        const made: string[] = [];
        for (const { kind, by, at, place: to, content } of steps) {
          const person = people[by];
          const id = made[at % Math.max(1, made.length)] ?? 'none';
          const path = `/api/memory/${id}`;
          const reply =
            kind === 'create'
              ? await call('POST', '/api/memory', person, { content, ...where(to) })
              : kind === 'delete'
                ? await call('DELETE', path, person)
                : await call('PATCH', path, person, kind === 'move' ? where(to) : { content });
          expect(reply.status, reply.text).toBeLessThan(500);
          if (reply.status === 201) made.push(reply.json.data.id);
        }
        await expectExactStatistics(fresh.orgId);
      },
    );
    await fc.assert(property, { numRuns: 6 });
  }, 120_000);
});
