import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/harness/databases/database.ts';
import { createTestOrg } from '../../../test/harness/factories.ts';
import { startTestServer } from '../../../test/harness/processes/server.ts';
import { useServerWithOrg } from '../../../test/harness/processes/use-test-org.ts';

const { server, call, org } = useServerWithOrg();

describe('the audit log', () => {
  it('200: filters by action, type, resource, person and time, over all pages', async () => {
    const fresh = await createTestOrg(server.db);
    const path = `/api/org/${fresh.orgId}/audit`;
    const create = async (name: string, key: string) =>
      (await call('POST', '/api/projects', { key, body: { name } })).json.data.id as string;
    const first = await create('First', fresh.owner.key);
    const second = await create('Second', fresh.member.key);
    await call('DELETE', `/api/projects/${first}`, fresh.admin);
    await call('POST', '/api/spaces/second/sessions', fresh.member, { name: 'Talk' });
    const list = async (query: string) => {
      const reply = await call('GET', `${path}?${query}`, fresh.owner);
      expect(reply.status, reply.text).toBe(200);
      const items = reply.json.data.items as { action: string; resourceName: string }[];
      return [
        reply.json.data.total,
        ...items.map(({ action, resourceName }) => `${action} ${resourceName}`),
      ];
    };
    const [created, archived] = ['project.created First', 'project.archived First'];
    expect(await list('limit=1')).toEqual([4, 'session.created Talk']);
    expect(await list('action=project.created')).toEqual([2, 'project.created Second', created]);
    expect(await list('resourceType=project&limit=1&page=3')).toEqual([3, created]);
    expect(await list(`resourceId=${first}`)).toEqual([2, archived, created]);
    expect(await list(`actorUserId=${fresh.member.userId}&resourceId=${second}`)).toEqual([
      1,
      'project.created Second',
    ]);
    expect(await list('action=key.created')).toEqual([0]);
    await server.db.query(
      `UPDATE audit_entries SET created_at = '2026-01-31T23:30:00Z'
       WHERE org_id = $1 AND resource_id = $2`,
      [fresh.orgId, first],
    );
    expect(await list('createdBefore=2026-02-01T00:00:00Z')).toEqual([2, archived, created]);
    expect(await list('createdBefore=2026-01-31T23:30:00Z')).toEqual([0]);
    expect(
      await list('createdAfter=2026-02-01T00:30:00%2B01:00&createdBefore=2026-02-01T00:00:00Z'),
    ).toEqual([2, archived, created]);
  });

  it('200: names what it can, and nothing of what is gone', async () => {
    const fresh = await createTestOrg(server.db);
    const path = `/api/org/${fresh.orgId}`;
    const body = { email: 'named@example.com', role: 'MEMBER' };
    await call('POST', `${path}/invitations`, fresh.owner, body);
    await call('POST', '/api/keys', fresh.owner, { name: 'Robot', scopes: ['org:read'] });
    await call('POST', `${path}/api-keys`, fresh.owner, { name: 'Old robot' });
    await call('POST', '/api/agents', fresh.owner, { slug: 'helper', name: 'Helper' });
    await call('PATCH', `${path}/members/${fresh.admin.userId}`, fresh.owner, { role: 'MEMBER' });
    await call('DELETE', `${path}/members/${fresh.member.userId}`, fresh.owner);
    const log = await call('GET', `${path}/audit`, fresh.owner);
    const items = log.json.data.items as { action: string; resourceName: string | null }[];
    expect(items.map(({ action, resourceName }) => [action, resourceName])).toEqual([
      ['member.removed', null],
      ['member.role_changed', fresh.admin.email.split('@')[0]],
      ['agent.created', 'Helper'],
      ['org_key.created', 'Old robot'],
      ['key.created', 'Robot'],
      ['invitation.created', 'named@example.com'],
    ]);
  });

  it('200: names no session, and no message in it, that the caller may not read', async () => {
    const { orgId, owner, member } = await createTestOrg(server.db);
    const mine = { key: member.key };
    await call('POST', '/api/projects', { ...mine, body: { name: 'Closed' } });
    for (const access of ['PROJECT', 'PARTICIPANTS']) {
      const body = { name: 'Talk', access };
      const session = await call('POST', '/api/spaces/closed/sessions', { ...mine, body });
      const path = `/api/spaces/closed/sessions/${session.json.data.id}/messages`;
      const message = await call('POST', path, { ...mine, body: { body: 'Hush.' } });
      const deleted = `/api/spaces/closed/messages/${message.json.data.id}`;
      expect((await call('DELETE', deleted, mine)).status).toBe(204);
    }
    const { json } = await call('GET', `/api/org/${orgId}/audit?limit=4`, owner);
    const items = json.data.items as { action: string; resourceId: string | null }[];
    expect(items.map(({ action, resourceId }) => [action, resourceId])).toEqual([
      ['message.deleted', null],
      ['session.created', null],
      ['message.deleted', expect.any(String)],
      ['session.created', expect.any(String)],
    ]);
  });

  it('400: an unknown filter, an empty one, a time without a zone', async () => {
    for (const query of ['who=me', 'action=', 'createdAfter=2026-01-31', 'createdBefore=now']) {
      const reply = await call('GET', `/api/org/${org.orgId}/audit?${query}`, org.owner);
      expect(reply.status, query).toBe(400);
    }
  });
});

it('older entries than AUDIT_DAYS are deleted, in every organisation, and no others', async () => {
  const database = await createTestDatabase();
  const orgs = await Promise.all([createTestOrg(database.db), createTestOrg(database.db)]);
  for (const { orgId } of orgs) {
    await database.db.query(
      `INSERT INTO audit_entries (org_id, id, action, resource_type, resource_id, actor_kind, request_id,
         details, created_at)
       SELECT $1, 'days' || days, 'org.updated', 'org', $1, 'user', 'r', '{}', now() - make_interval(days => days)
       FROM unnest($2::int[]) AS days`,
      [orgId, [0, 29, 31, 400, 4_000]],
    );
  }
  const worker = await startTestServer({
    shared: database,
    worker: true,
    env: { AUDIT_DAYS: '30' },
  });
  const left = (orgId: string) =>
    database.db.query('SELECT id FROM audit_entries WHERE org_id = $1 ORDER BY id', [orgId]);
  try {
    for (const { orgId } of orgs) {
      await expect.poll(() => left(orgId)).toEqual([{ id: 'days0' }, { id: 'days29' }]);
    }
  } finally {
    await worker.stop();
    await database.drop();
  }
});
