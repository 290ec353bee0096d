import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../test/harness/clients/client.ts';
import {
  dataOf,
  expectInvalid,
  problemsOf,
  reasonOf,
} from '../../../test/harness/clients/envelope.ts';
import { readStatistics } from '../../../test/harness/models/memory-statistics.ts';
import { useServerWithOrg, useTestOrg } from '../../../test/harness/processes/use-test-org.ts';
import { mintKey } from '../keys/service.ts';

const { server, call, org } = useServerWithOrg();
const otherOrg = useTestOrg(() => server.db);
let closed: string;
/** One memory of the member for each visibility. */
let made: Record<'ORG' | 'PROJECT' | 'PRIVATE', { id: string }>;

beforeAll(async () => {
  const body = { name: 'Closed', access: 'MEMBERS' };
  closed = (await call('POST', '/api/projects', org.owner, body)).json.data.id;
  await call('PUT', `/api/projects/${closed}/members/${org.member.userId}`, org.owner);
  made = {
    ORG: await createAsMember('ORG', null),
    PROJECT: await createAsMember('PROJECT', closed),
    PRIVATE: await createAsMember('PRIVATE', closed),
  };
});

async function createAsMember(visibility: string, projectId: string | null) {
  const body = { content: `A ${visibility} platypus.`, visibility, projectId };
  return (await call('POST', '/api/memory', org.member, body)).json.data;
}

const v1 = (method: string, path = '', body?: unknown, key = org.orgKey) =>
  call(method, `/api/v1/memories${path}`, { key, ...(body !== undefined && { body }) });

async function create(body: object) {
  return dataOf(await v1('POST', '', { content: 'A note.', visibility: 'ORG', ...body }), 201);
}

async function keyWith(scopes: string[], orgId = org.orgId): Promise<string> {
  const input = { name: 'k', scopes, createdById: null };
  return (await mintKey(server.db, { orgId, userId: null }, input)).secret;
}

const idsOf = (reply: Reply) => (reply.json.data.items as { id: string }[]).map(({ id }) => id);

describe('a v1 key', () => {
  it('201: writes ORG and PROJECT memory anywhere in the org, owned by nobody', async () => {
    const shared = await create({ tags: ['v1'], sourceUrl: 'https://example.com' });
    const inProject = await create({ visibility: 'PROJECT', projectId: closed });
    for (const memory of [shared, inProject]) {
      expect(memory.ownerUserId).toBeNull();
      expect((await v1('GET', `/${memory.id}`)).json.data).toEqual(memory);
      expect((await call('GET', `/api/memory/${memory.id}`, org.member)).json.data).toEqual(memory);
      expect((await v1('GET', `/${memory.id}`, undefined, otherOrg.orgKey)).status).toBe(404);
    }
    const idempotent = () =>
      call('POST', '/api/v1/memories', {
        key: org.orgKey,
        body: { content: 'once', visibility: 'ORG' },
        headers: { 'idempotency-key': 'v1-once' },
      });
    expect((await idempotent()).text).toBe((await idempotent()).text);
  });

  it('200: sees ORG and PROJECT memory of the whole org, and no PRIVATE memory', async () => {
    expect((await v1('GET', `/${made.ORG.id}`)).status).toBe(200);
    expect((await v1('GET', `/${made.PROJECT.id}`)).status).toBe(200);
    expect((await v1('GET', `/${made.PRIVATE.id}`)).status).toBe(404);
    for (const [query, ids] of [
      ['?limit=100', [made.PROJECT.id, made.ORG.id]],
      ['?visibility=PROJECT&limit=100', [made.PROJECT.id]],
      ['?visibility=PRIVATE', []],
      [`?projectId=${closed}&limit=100`, [made.PROJECT.id]],
    ] as const) {
      const ours = new Set(Object.values(made).map(({ id }) => id));
      const listed = idsOf(await v1('GET', query)).filter((id) => ours.has(id));
      expect([query, listed]).toEqual([query, ids]);
    }
    for (const filter of [{}, { visibility: 'PRIVATE' }, { projectId: closed }]) {
      const found = idsOf(
        await v1('POST', '/search', { query: 'platypus', limit: 100, ...filter }),
      );
      expect(found).not.toContain(made.PRIVATE.id);
      expect(found.includes(made.PROJECT.id)).toBe(!('visibility' in filter));
    }
    expectInvalid(await v1('GET', `?before=${made.PRIVATE.id}`));
  });

  it('200 and 204: changes and deletes what it sees', async () => {
    const memory = await createAsMember('PROJECT', closed);
    const changed = await v1('PATCH', `/${memory.id}`, { content: 'New.', visibility: 'ORG' });
    expect(changed.json.data).toMatchObject({
      content: 'New.',
      visibility: 'ORG',
      ownerUserId: org.member.userId,
    });
    expect((await v1('DELETE', `/${memory.id}`)).status).toBe(204);
    expect((await v1('DELETE', `/${memory.id}`)).status).toBe(404);
    const own = await create({});
    const seen = await call('DELETE', `/api/memory/${own.id}`, org.member);
    expect(reasonOf(seen)).toEqual([403, 'role']);
    expect((await call('DELETE', `/api/memory/${own.id}`, org.admin)).status).toBe(204);
    const { kept, counted } = await readStatistics(server.db, org.orgId);
    expect(kept).toEqual(counted);
  });

  it('400: as in the v2 API', async () => {
    expect(problemsOf(await v1('POST', '', { visibility: 'PROJECT' })).toSorted()).toEqual([
      'body.content required',
      'body.projectId required',
    ]);
    expectInvalid(await v1('POST', '/search', { query: 'x'.repeat(2_001) }));
    expectInvalid(await v1('GET', '?limit=101'));
    expectInvalid(await v1('PATCH', `/${made.ORG.id}`, { sourceUrl: 'javascript:1' }));
  });

  it('401: neither family works on the other API', async () => {
    const paths = ['/memories', `/memories/${made.ORG.id}`];
    for (const path of paths) {
      const reply = await call('GET', `/api/v1${path}`, org.owner);
      expect([reply.status, reply.json.error.code]).toEqual([401, 'AUTH_ERROR']);
    }
    for (const path of ['/memory', `/memory/${made.ORG.id}`, '/me', '/projects']) {
      expect((await call('GET', `/api${path}`, { key: org.orgKey })).status).toBe(401);
    }
    const body = { query: 'a' };
    expect((await call('POST', '/api/memory/search', { key: org.orgKey, body })).status).toBe(401);
    expect((await v1('POST', '/search', body, org.owner.key)).status).toBe(401);
  });

  it('403: writing PRIVATE memory, or making a memory PRIVATE', async () => {
    const refused = await v1('POST', '', { content: 'a', visibility: 'PRIVATE' });
    expect(reasonOf(refused)).toEqual([403, 'role']);
    const own = await create({});
    for (const id of [own.id, made.ORG.id]) {
      expect(reasonOf(await v1('PATCH', `/${id}`, { visibility: 'PRIVATE' }))).toEqual([
        403,
        'role',
      ]);
    }
  });

  it('403: a key with one scope can do only what that scope allows', async () => {
    const [reader, writer] = [await keyWith(['memory:read']), await keyWith(['memory:write'])];
    const body = { content: 'a', visibility: 'ORG' };
    for (const [method, path, sent, status, key] of [
      ['GET', '', undefined, 200, reader],
      ['GET', `/${made.ORG.id}`, undefined, 200, reader],
      ['POST', '/search', { query: 'a' }, 200, reader],
      ['POST', '', body, 403, reader],
      ['PATCH', `/${made.ORG.id}`, {}, 403, reader],
      ['DELETE', `/${made.ORG.id}`, undefined, 403, reader],
      ['GET', '', undefined, 403, writer],
      ['GET', `/${made.ORG.id}`, undefined, 403, writer],
      ['POST', '/search', { query: 'a' }, 403, writer],
      ['POST', '', body, 201, writer],
      ['PATCH', `/${made.ORG.id}`, {}, 200, writer],
    ] as const) {
      const reply = await v1(method, path, sent, key);
      expect([method, path, reply.status]).toEqual([method, path, status]);
      if (status === 403) expect(reply.json.error.details.reason).toBe('missing_scope');
    }
  });

  it('404: malformed ids, and missing Projects', async () => {
    expect((await v1('GET', '/x')).status).toBe(404);
    expect((await v1('GET', '?projectId=x')).status).toBe(404);
    const into = { content: 'a', visibility: 'PROJECT', projectId: closed };
    expect((await v1('POST', '', into, otherOrg.orgKey)).status).toBe(404);
  });
});
