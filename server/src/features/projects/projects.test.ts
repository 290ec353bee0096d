import { describe, expect, it } from 'vitest';
import { dataOf, expectInvalid, reasonOf } from '../../../test/harness/clients/envelope.ts';
import { addPerson, createTestOrg, type Person } from '../../../test/harness/factories.ts';
import { useServerWithOrg, useTestOrg } from '../../../test/harness/processes/use-test-org.ts';

const { server, call, org } = useServerWithOrg();
const otherOrg = useTestOrg(() => server.db);

async function create(person: Person, body: object) {
  return dataOf(await call('POST', '/api/projects', person, body), 201);
}

describe('POST /projects', () => {
  it('201: creates a Project with every field of the record', async () => {
    const body = { name: ' Pricing 2027 ', description: 'Why', tags: ['a', ' b ', 'a'] };
    const project = await create(org.member, body);
    expect(project).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      slug: 'pricing-2027',
      name: 'Pricing 2027',
      description: 'Why',
      tags: ['a', 'b'],
      access: 'ORG',
      defaultAgent: null,
      broadcasts: 'EVERYONE',
      createdById: org.member.userId,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: project.createdAt,
      archivedAt: null,
    });
  });

  it('201: null for an optional field means none', async () => {
    const body = { name: 'Nulls', description: null, tags: null, access: null };
    expect(await create(org.member, body)).toMatchObject({
      description: null,
      tags: [],
      access: 'ORG',
    });
  });

  it('201: a name without letters gets a generated slug', async () => {
    const first = await create(org.owner, { name: '🚀🚀' });
    const second = await create(org.owner, { name: '🚀🚀' });
    expect(first.slug).toMatch(/^project-[a-z0-9]{6}$/);
    expect(second.slug).not.toBe(first.slug);
  });

  it('400: names every failing field', async () => {
    const body = {
      tags: ['x'.repeat(51), ' '],
      description: 'd'.repeat(2001),
      access: 'ALL',
      colour: 1,
    };
    const reply = await call('POST', '/api/projects', org.owner, body);
    expect(reply.status).toBe(400);
    const errors = reply.json.error.details.errors as { location: string; code: string }[];
    expect(Object.fromEntries(errors.map((error) => [error.location, error.code]))).toEqual({
      'body.name': 'required',
      'body.tags[0]': 'too_long',
      'body.tags[1]': 'required',
      'body.description': 'too_long',
      'body.access': 'invalid_value',
      'body.colour': 'unknown_field',
    });
  });

  it('400: counts code points, not code units', async () => {
    expect((await create(org.owner, { name: `${'𝒳'.repeat(119)}y` })).name).toHaveLength(239);
    const reply = await call('POST', '/api/projects', org.owner, { name: '𝒳'.repeat(121) });
    expect(reply.status).toBe(400);
  });

  it('409: the slug is taken, archived or not, and named', async () => {
    const project = await create(org.owner, { name: 'Taken' });
    await call('DELETE', `/api/projects/${project.id}`, org.owner);
    const reply = await call('POST', '/api/projects', org.owner, { name: 'TAKEN!' });
    expect(reply.status).toBe(409);
    expect(reply.json.error.details).toEqual({ reason: 'slug_taken', slug: 'taken' });
    await create(otherOrg.owner, { name: 'Taken' });
  });
});

describe('GET /projects', () => {
  it('200: pages, newest first, with the total, also past the end', async () => {
    const fresh = await createTestOrg(server.db);
    for (const name of ['One', 'Two', 'Three']) await create(fresh.owner, { name });
    const list = async (query: string) =>
      (await call('GET', `/api/projects${query}`, fresh.member)).json.data;
    expect((await list('')).items.map((p: { name: string }) => p.name)).toEqual([
      'Three',
      'Two',
      'One',
    ]);
    const second = await list('?page=2&limit=2');
    expect(second).toMatchObject({ total: 3, page: 2, limit: 2, items: [{ name: 'One' }] });
    expect(await list('?page=9')).toEqual({ items: [], total: 3, page: 9, limit: 20 });
  });

  it('200: with a slug, the one Project that has it, if the caller can see it', async () => {
    const fresh = await createTestOrg(server.db);
    for (const name of ['One', 'Two']) await create(fresh.owner, { name });
    await create(fresh.owner, { name: 'Secret', access: 'MEMBERS' });
    const find = async (slug: string) =>
      (await call('GET', `/api/projects?slug=${slug}`, fresh.member)).json.data;
    expect(await find('two')).toMatchObject({ total: 1, items: [{ name: 'Two' }] });
    for (const slug of ['secret', 'three', '']) {
      expect(await find(slug)).toMatchObject({ total: 0, items: [] });
    }
  });

  it('200: leaves out archived Projects, other orgs, and Projects the caller does not belong to', async () => {
    const fresh = await createTestOrg(server.db);
    const outsider = await addPerson(server.db, fresh.orgId, 'MEMBER');
    const gone = await create(fresh.member, { name: 'Gone' });
    await call('DELETE', `/api/projects/${gone.id}`, fresh.member);
    const secret = await create(fresh.member, { name: 'Secret', access: 'MEMBERS' });
    const names = async (person: Person) =>
      (await call('GET', '/api/projects', person)).json.data.items.map(
        (p: { name: string }) => p.name,
      );
    expect(await names(outsider)).toEqual([]);
    expect(await names(fresh.member)).toEqual(['Secret']);
    expect(await names(fresh.admin)).toEqual(['Secret']);
    await call('PUT', `/api/projects/${secret.id}/members/${outsider.userId}`, fresh.member);
    expect(await names(outsider)).toEqual(['Secret']);
  });

  it.each([
    'page=0',
    'page=-1',
    'page=x',
    'limit=0',
    'limit=101',
    'limit=1e1',
    'limit=',
    'size=5',
    'page=1&page=1',
    'limit=%zz',
  ])('400: ?%s', async (query) => {
    const reply = await call('GET', `/api/projects?${query}`, org.owner);
    expect(expectInvalid(reply)).not.toHaveLength(0);
  });
});

describe('GET /projects/{projectId}', () => {
  it('200: the Project, archived too', async () => {
    const project = await create(org.owner, { name: 'Read me' });
    const path = `/api/projects/${project.id}`;
    expect((await call('GET', path, org.member)).json.data).toEqual(project);
    await call('DELETE', path, org.owner);
    expect((await call('GET', path, org.member)).json.data.archivedAt).toEqual(expect.any(String));
  });

  it('403: a member of the org who is not in a MEMBERS Project', async () => {
    const project = await create(org.owner, { name: 'Closed', access: 'MEMBERS' });
    const reply = await call('GET', `/api/projects/${project.id}`, org.member);
    expect(reasonOf(reply)).toEqual([403, 'not_project_member']);
  });

  it("404: unknown, malformed, or another org's", async () => {
    const foreign = await create(otherOrg.owner, { name: 'Foreign' });
    for (const id of ['caaaaaaaaaaaaaaaaaaaaaaaa', 'x', '1', foreign.id, `${foreign.id}x`]) {
      expect((await call('GET', `/api/projects/${id}`, org.owner)).status).toBe(404);
    }
  });
});

describe('PATCH /projects/{projectId}', () => {
  it('200: changes what is given, clears what is null, keeps the slug', async () => {
    const project = await create(org.member, { name: 'Old', description: 'd', tags: ['t'] });
    const patch = (body: unknown) => call('PATCH', `/api/projects/${project.id}`, org.member, body);
    const renamed = (await patch({ name: 'New', access: 'MEMBERS' })).json.data;
    expect(renamed).toMatchObject({
      name: 'New',
      slug: 'old',
      description: 'd',
      tags: ['t'],
      access: 'MEMBERS',
    });
    expect((await patch({ description: null, tags: null })).json.data).toMatchObject({
      name: 'New',
      description: null,
      tags: [],
    });
  });

  it('200: sets, keeps and clears the default agent; 400: an unknown one', async () => {
    const project = await create(org.member, { name: 'Agents' });
    const patch = (body: unknown) => call('PATCH', `/api/projects/${project.id}`, org.member, body);
    expect((await patch({ defaultAgent: ' Recall ' })).json.data.defaultAgent).toBe('recall');
    expect((await patch({ name: 'Still' })).json.data.defaultAgent).toBe('recall');
    const refused = await patch({ defaultAgent: 'gpt-0' });
    expect(expectInvalid(refused)).toEqual([
      {
        location: 'body.defaultAgent',
        code: 'invalid_value',
        message: 'is not a configured model, nor an agent of this Project; models: recall',
      },
    ]);
    expect((await patch({ defaultAgent: null })).json.data.defaultAgent).toBeNull();
  });

  it('200: an empty change changes nothing, with or without a body', async () => {
    const project = await create(org.member, { name: 'Still' });
    const path = `/api/projects/${project.id}`;
    expect((await call('PATCH', path, org.member, {})).json.data).toEqual(project);
    expect((await call('PATCH', path, org.member)).json.data).toEqual(project);
  });

  it('403: neither creator nor OWNER or ADMIN', async () => {
    const project = await create(org.owner, { name: 'Hands off' });
    const path = `/api/projects/${project.id}`;
    const reply = await call('PATCH', path, org.member, { name: 'Mine' });
    expect(reasonOf(reply)).toEqual([403, 'role']);
    expect((await call('PATCH', path, org.admin, { name: 'Ours' })).status).toBe(200);
  });

  it('409: archived', async () => {
    const project = await create(org.owner, { name: 'Shelved' });
    const path = `/api/projects/${project.id}`;
    await call('DELETE', path, org.owner);
    const reply = await call('PATCH', path, org.owner, { name: 'x' });
    expect(reasonOf(reply)).toEqual([409, 'project_archived']);
  });
});

describe('DELETE /projects/{projectId}', () => {
  it('204: archives once; the time stays', async () => {
    const project = await create(org.member, { name: 'Twice' });
    const path = `/api/projects/${project.id}`;
    const first = await call('DELETE', path, org.member);
    expect([first.status, first.text]).toEqual([204, '']);
    expect(first.headers.get('x-request-id')).toBeTruthy();
    const { archivedAt } = (await call('GET', path, org.member)).json.data;
    expect((await call('DELETE', path, org.member)).status).toBe(204);
    expect((await call('GET', path, org.member)).json.data.archivedAt).toBe(archivedAt);
  });

  it('403: neither creator nor OWNER or ADMIN', async () => {
    const project = await create(org.owner, { name: 'Keep' });
    expect((await call('DELETE', `/api/projects/${project.id}`, org.member)).status).toBe(403);
  });
});

describe('POST /projects/{projectId}/restore', () => {
  it('200: undoes an archive, once, with one audit entry; the Project can be changed again', async () => {
    const project = await create(org.member, { name: 'Back' });
    const path = `/api/projects/${project.id}`;
    await call('DELETE', path, org.member);
    const restored = await call('POST', `${path}/restore`, org.member);
    expect(restored.json.data).toEqual({ ...project, updatedAt: expect.any(String) });
    const again = await call('POST', `${path}/restore`, org.admin);
    expect([again.status, again.json.data]).toEqual([200, restored.json.data]);
    expect((await call('PATCH', path, org.member, { name: 'New' })).status).toBe(200);
    const log = await call('GET', `/api/org/${org.orgId}/audit?limit=100`, org.owner);
    const actions = log.json.data.items
      .filter((entry: { resourceId: string }) => entry.resourceId === project.id)
      .map((entry: { action: string }) => entry.action);
    expect(actions).toEqual([
      'project.updated',
      'project.restored',
      'project.archived',
      'project.created',
    ]);
  });

  it('403: neither creator nor OWNER or ADMIN', async () => {
    const project = await create(org.owner, { name: 'Stays away' });
    const path = `/api/projects/${project.id}`;
    await call('DELETE', path, org.owner);
    expect((await call('POST', `${path}/restore`, org.member)).status).toBe(403);
    const { archivedAt } = (await call('GET', path, org.owner)).json.data;
    expect(archivedAt).toEqual(expect.any(String));
  });
});

describe('members of a Project', () => {
  it('200: lists everybody in the org for an ORG Project', async () => {
    const fresh = await createTestOrg(server.db);
    const project = await create(fresh.owner, { name: 'Open' });
    const { data } = (await call('GET', `/api/projects/${project.id}/members`, fresh.member)).json;
    expect(data.total).toBe(3);
    expect(data.items[0]).toEqual({
      userId: fresh.owner.userId,
      email: fresh.owner.email,
      name: expect.any(String),
      handle: fresh.owner.email.split('@')[0],
      role: 'OWNER',
      addedAt: null,
    });
  });

  it('200 and 204: adding lets a person in, removing ends their access', async () => {
    const guest = await addPerson(server.db, org.orgId, 'MEMBER');
    const project = await create(org.member, { name: 'Guests', access: 'MEMBERS' });
    const path = `/api/projects/${project.id}`;
    const membership = `${path}/members/${guest.userId}`;
    expect((await call('GET', path, guest)).status).toBe(403);
    const added = await call('PUT', membership, org.member);
    expect(dataOf(added, 200)).toMatchObject({ userId: guest.userId, addedAt: expect.any(String) });
    expect((await call('PUT', membership, org.member)).json.data).toEqual(added.json.data);
    expect((await call('GET', path, guest)).status).toBe(200);
    expect((await call('PUT', membership, guest)).status).toBe(403);
    expect((await call('DELETE', membership, org.member)).status).toBe(204);
    expect((await call('GET', path, guest)).status).toBe(403);
    expect((await call('DELETE', membership, org.member)).status).toBe(404);
  });

  it('204: people may leave by themselves', async () => {
    const guest = await addPerson(server.db, org.orgId, 'MEMBER');
    const project = await create(org.owner, { name: 'Leaving', access: 'MEMBERS' });
    const membership = `/api/projects/${project.id}/members/${guest.userId}`;
    await call('PUT', membership, org.owner);
    expect((await call('DELETE', membership, guest)).status).toBe(204);
  });

  it('404: a person in another org, or an unknown one', async () => {
    const project = await create(org.owner, { name: 'Strangers' });
    for (const userId of [otherOrg.owner.userId, 'caaaaaaaaaaaaaaaaaaaaaaaa', 'nobody']) {
      const reply = await call('PUT', `/api/projects/${project.id}/members/${userId}`, org.owner);
      expect(reply.status).toBe(404);
    }
  });

  it('409: an archived Project', async () => {
    const project = await create(org.owner, { name: 'Frozen' });
    await call('DELETE', `/api/projects/${project.id}`, org.owner);
    const membership = `/api/projects/${project.id}/members/${org.member.userId}`;
    expect((await call('PUT', membership, org.owner)).status).toBe(409);
    expect((await call('DELETE', membership, org.owner)).status).toBe(409);
  });
});
