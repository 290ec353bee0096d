import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createShared, type Shared } from './cluster.ts';
import { killAll, startServers, type ServerProcess } from './processes.ts';

let shared: Shared;
beforeAll(async () => {
  shared = await createShared();
});
afterEach(killAll);
afterAll(() => shared.drop());

it('two processes give one name to one of an agent, a renamed agent, an MCP server and a person', async () => {
  const env = { DATABASE_URL: shared.url, RATE_LIMIT_WRITES: '1000' };
  const [one, two] = (await startServers(2, env)) as [ServerProcess, ServerProcess];
  const { key } = shared.org.owner;
  const create = (server: ServerProcess, slug: string) =>
    server.call('POST', '/api/agents', { key, body: { slug, name: 'Agent' } });
  const register = (server: ServerProcess, mentionSlug: string) =>
    server.call('POST', '/api/mcp/servers', {
      key,
      body: {
        displayName: 'Tools',
        mentionSlug,
        endpointUrl: 'https://93.184.216.34/mcp',
        authType: 'NONE',
      },
    });
  const { id } = (await create(one, 'restless')).json.data;
  for (let round = 0; round < 20; round++) {
    const slug = `name-${round}`;
    const rename = two.call('PATCH', `/api/agents/${id}`, { key, body: { slug } });
    const handle = one.call('PATCH', '/api/me', { key, body: { handle: slug } });
    const replies = await Promise.all([create(one, slug), register(two, slug), rename, handle]);
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(3);
  }
  const rows = await shared.db.query<{ name: string; owners: number }>(
    `SELECT n.name, (SELECT count(*) FROM agents a WHERE a.org_id = $1 AND a.slug = n.name)
       + (SELECT count(*) FROM mcp_servers i WHERE i.org_id = $1 AND i.mention_slug = n.name)
       + (SELECT count(*) FROM memberships m WHERE m.org_id = $1 AND m.handle = n.name) AS owners
     FROM mention_names n WHERE n.org_id = $1 AND n.freed_at IS NULL`,
    [shared.org.orgId],
  );
  expect(new Set(rows.map(({ owners }) => owners))).toEqual(new Set([1]));
  const [counted] = await shared.db.query<{ owners: number }>(
    `SELECT (SELECT count(*) FROM agents WHERE org_id = $1)
       + (SELECT count(*) FROM mcp_servers WHERE org_id = $1)
       + (SELECT count(*) FROM memberships WHERE org_id = $1) AS owners`,
    [shared.org.orgId],
  );
  expect(rows).toHaveLength(counted?.owners ?? -1);
});
