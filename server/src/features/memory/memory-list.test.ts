import { describe, expect, it } from 'vitest';
import { expectInvalid, problemsOf, reasonOf } from '../../../test/harness/clients/envelope.ts';
import { addPerson } from '../../../test/harness/factories.ts';
import { useMemoryStage } from '../../../test/harness/stages/memory-stage.ts';
import { purgeMemories } from './store.ts';

const { server, call, org, otherOrg, outsider, projects, createProject, create, list, remove } =
  useMemoryStage();

const contents = (page: { items: { content: string }[] }) => page.items.map((each) => each.content);

describe('GET /memory', () => {
  it('200: newest first, page by page, without a total', async () => {
    const reader = await addPerson(server.db, org.orgId, 'MEMBER');
    for (let at = 0; at < 7; at++) {
      const visibility = at % 2 === 0 ? 'PRIVATE' : 'ORG';
      await create({ content: `m${at}`, tags: ['paged'], visibility }, reader);
    }
    const first = await list('?tag=paged&limit=3', reader);
    expect(first).toEqual({
      items: expect.any(Array),
      nextBefore: first.items[2].id,
      hasMore: true,
    });
    expect(contents(first)).toEqual(['m6', 'm5', 'm4']);
    const second = await list(`?tag=paged&limit=3&before=${first.nextBefore}`, reader);
    expect(contents(second)).toEqual(['m3', 'm2', 'm1']);
    const third = await list(`?tag=paged&limit=3&before=${second.nextBefore}`, reader);
    expect(third).toMatchObject({ items: [{ content: 'm0' }], nextBefore: null, hasMore: false });
    expect(contents(await list('?tag=paged&limit=7', reader))).toHaveLength(7);
    expect(contents(await list('?tag=paged'))).toEqual(['m5', 'm3', 'm1']);
  });

  it('200: the filters, alone and together', async () => {
    const projectId = await createProject(org.owner, { name: 'Filters' });
    for (const visibility of ['ORG', 'PROJECT', 'PRIVATE']) {
      for (const label of [projectId, visibility === 'PROJECT' ? projects.open : null]) {
        const where = label === projectId ? 'here' : 'elsewhere';
        const body = { visibility, projectId: label, tags: ['filters', where] };
        await create({ ...body, content: `${visibility} ${where}` });
      }
    }
    const filtered = async (query: string) => contents(await list(`?tag=filters${query}`));
    expect(await filtered('')).toHaveLength(6);
    expect(await filtered(`&projectId=${projectId}`)).toEqual([
      'PRIVATE here',
      'PROJECT here',
      'ORG here',
    ]);
    expect(await filtered('&visibility=ORG')).toEqual(['ORG elsewhere', 'ORG here']);
    expect(await filtered(`&visibility=PRIVATE&projectId=${projectId}`)).toEqual(['PRIVATE here']);
    expect(contents(await list(`?tag=here&projectId=${projectId}&visibility=PROJECT`))).toEqual([
      'PROJECT here',
    ]);
    expect((await list(`?tag=filters&projectId=${projectId}`, org.owner)).items).toHaveLength(2);
  });

  it('400: the query', async () => {
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=x',
      'limit=1.5',
      'visibility=ALL',
      'visibility=',
      'page=1',
      'tag=',
      `tag=${'x'.repeat(51)}`,
      'tag=%00',
      'projectId=%00',
      'before=%00',
      'limit=1&limit=1',
    ]) {
      expectInvalid(await call('GET', `/api/memory?${query}`, org.member));
    }
  });

  it('400: a cursor that is not in this list: unknown, invisible, filtered out', async () => {
    const theirs = await create({ visibility: 'PRIVATE' }, outsider);
    const foreign = await create({ visibility: 'ORG' }, otherOrg.owner);
    const hidden = await create({ visibility: 'PROJECT', projectId: projects.closed });
    const shared = await create({ visibility: 'ORG' });
    for (const [query, by] of [
      ['before=x', org.member],
      ['before=', org.member],
      ['before=caaaaaaaaaaaaaaaaaaaaaaaa', org.member],
      [`before=${theirs.id}`, org.member],
      [`before=${theirs.id}`, org.owner],
      [`before=${foreign.id}`, org.member],
      [`before=${hidden.id}`, outsider],
      [`before=${shared.id}&visibility=PRIVATE`, org.member],
      [`before=${shared.id}&projectId=${projects.open}`, org.member],
    ] as const) {
      const refused = await call('GET', `/api/memory?${query}`, by);
      expect(problemsOf(refused)).toEqual(['query.before invalid_value']);
    }
  });

  it("403 and 404: a Project the caller is not in, and another org's", async () => {
    const refused = await call('GET', `/api/memory?projectId=${projects.closed}`, outsider);
    expect(reasonOf(refused)).toEqual([403, 'not_project_member']);
    for (const projectId of [projects.foreign, 'x', '']) {
      const reply = await call('GET', `/api/memory?projectId=${projectId}`, org.owner);
      expect([projectId, reply.status]).toEqual([projectId, 404]);
    }
  });
});

describe('deleting while paging', () => {
  it('200: a deleted cursor still marks the place to continue', async () => {
    const made = [];
    for (let at = 0; at < 6; at++) made.push(await create({ content: `p${at}`, tags: ['going'] }));
    const first = await list('?tag=going&limit=2');
    expect(contents(first)).toEqual(['p5', 'p4']);
    for (const at of [5, 4, 3]) expect((await remove(made[at].id)).status).toBe(204);
    const second = await list(`?tag=going&limit=2&before=${first.nextBefore}`);
    expect(contents(second)).toEqual(['p2', 'p1']);
    expect(contents(await list(`?tag=going&before=${made[1].id}`))).toEqual(['p0']);
  });

  it('200: deleting each page after reading it reads all of them', async () => {
    const reader = await addPerson(server.db, org.orgId, 'MEMBER');
    for (let at = 0; at < 7; at++) {
      await create({ content: `d${at}`, visibility: 'PRIVATE' }, reader);
    }
    const seen: string[] = [];
    let query = '?visibility=PRIVATE&limit=3';
    for (;;) {
      const page = await list(query, reader);
      seen.push(...contents(page));
      for (const { id } of page.items) await remove(id, reader);
      if (!page.hasMore) break;
      query = `?visibility=PRIVATE&limit=3&before=${page.nextBefore}`;
    }
    expect(seen).toEqual(['d6', 'd5', 'd4', 'd3', 'd2', 'd1', 'd0']);
    expect((await list('?visibility=PRIVATE', reader)).items).toEqual([]);
  });

  it('leaves the position and scope for seven days, and none of the content', async () => {
    const memory = await create({
      content: 'unforgettable',
      visibility: 'PRIVATE',
      projectId: projects.open,
      tags: ['unforgettable'],
      sourceUrl: 'https://example.com/unforgettable',
    });
    expect((await remove(memory.id)).status).toBe(204);
    const [left] = await server.db.query('SELECT * FROM deleted_memories WHERE id = $1', [
      memory.id,
    ]);
    expect(left).toEqual({
      org_id: org.orgId,
      id: memory.id,
      scope: org.member.userId,
      project_id: projects.open,
      position: expect.any(Number),
      deleted_at: expect.any(Date),
    });
    expect(await server.db.query('SELECT id FROM memories WHERE id = $1', [memory.id])).toEqual([]);
    const cursor = `?before=${memory.id}`;
    expect((await list(cursor)).items).not.toEqual([]);
    for (const by of [org.owner, otherOrg.owner]) {
      expectInvalid(await call('GET', `/api/memory${cursor}`, by));
    }
    await server.db.query(
      `UPDATE deleted_memories SET deleted_at = now() - interval '7 days 1 second' WHERE id = $1`,
      [memory.id],
    );
    const kept = await create({});
    await remove(kept.id);
    await purgeMemories(server.db);
    expectInvalid(await call('GET', `/api/memory${cursor}`, org.member));
    expect((await list(`?before=${kept.id}&limit=1`)).items).toHaveLength(1);
  });
});
