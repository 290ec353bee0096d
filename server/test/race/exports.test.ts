import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readExport } from '../harness/clients/untar.ts';
import { createShared, type Shared } from './cluster.ts';
import { killAll, startServers, type ServerProcess } from './processes.ts';

/** More than the buffers between a server and a reader who has stopped reading. */
const MESSAGES = 12_000;

let shared: Shared;
let servers: ServerProcess[] = [];

beforeAll(async () => {
  shared = await createShared();
  const { orgId, owner } = shared.org;
  await shared.db.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
       VALUES ($1, 'p', 'p', 'p', '{}', 'ORG', $2)`,
      [orgId, owner.userId],
    );
    await tx.query(
      `INSERT INTO sessions (org_id, id, project_id, name, participant_user_ids, created_by_id)
       VALUES ($1, 's', 'p', 's', '{}', $2)`,
      [orgId, owner.userId],
    );
    // Hashes, because compression must not make them small.
    await tx.query(
      `INSERT INTO messages (org_id, id, session_id, position, author_kind, author_user_id, body,
         mentions, status, citations, tool_calls, created_at)
       SELECT $1, 'm' || n, 's', n, 'USER', $2,
         (SELECT string_agg(md5(n || ' ' || part), '') FROM generate_series(1, 60) part),
         '{}', 'COMPLETED', '[]', '[]', now()
       FROM generate_series(1, $3::int) n`,
      [orgId, owner.userId, MESSAGES],
    );
  });
  const DATA_DIR = join(tmpdir(), 'atrium-test-data');
  servers = await startServers(2, { DATABASE_URL: shared.url, DATA_DIR });
});
afterAll(async () => {
  await killAll();
  await shared.drop();
});

const startExport = (server: ServerProcess) =>
  fetch(`${server.origin}/api/org/${shared.org.orgId}/export`, {
    headers: { authorization: `Bearer ${shared.org.owner.key}` },
  });
const openTransactions = async () =>
  (
    await shared.db.query(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    )
  ).length;
const leaseEnds = async () => {
  const [lease] = await shared.db.query<{ at: Date }>(
    'SELECT expires_at AS at FROM running_exports',
  );
  return lease?.at.getTime() ?? 0;
};

it('one export at a time across processes; a killed one blocks the next until its lease ends', async () => {
  const [first, second] = servers as [ServerProcess, ServerProcess];
  const reader = (await startExport(first)).body?.getReader();
  let size = 0;
  while (size < 1_000_000) size += (await reader?.read())?.value?.length ?? 0;
  // From here on nobody reads: the export waits, and holds nothing but its lease.
  expect((await startExport(second)).status).toBe(409);
  expect(await openTransactions()).toBe(0);
  await first.kill('SIGKILL');
  expect((await startExport(second)).status).toBe(409);
  expect(await leaseEnds()).toBeLessThanOrEqual(Date.now() + 180_000);
  await shared.db.query('UPDATE running_exports SET expires_at = now()');
  const bytes = new Uint8Array(await (await startExport(second)).arrayBuffer());
  const { messages = [] } = readExport(bytes);
  expect(messages.map(({ id }) => id)).toEqual(
    Array.from({ length: MESSAGES }, (_, at) => `m${at + 1}`),
  );
  await expect.poll(leaseEnds).toBe(0);
});
