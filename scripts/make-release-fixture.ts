/**
 * Writes `server/test/data/release-<version>.sql`: rows for every table, as the last release makes them.
 * Run it once for each release, with TEST_DATABASE_URL set: `node scripts/make-release-fixture.ts`.
 */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../server/src/db/types.ts';
import { createEmptyDatabase } from '../server/test/harness/databases/empty-database.ts';
import { startEmbeddingsServer } from '../server/test/harness/outside/openai-embeddings-server.ts';
import { LAST_RELEASE } from '../server/test/harness/databases/releases.ts';
import { killAll, type ServerProcess } from '../server/test/race/processes.ts';
import { checkOutRelease, type Owner } from '../server/test/race/release-folder.ts';

type Call = (method: string, path: string, body?: object) => Promise<Record<string, string>>;

const release = await checkOutRelease(LAST_RELEASE);
const database = await createEmptyDatabase('postgres');
const embeddings = await startEmbeddingsServer(64);
try {
  const env = {
    DATABASE_URL: database.url ?? '',
    EMBEDDINGS: 'openai:words:64',
    OPENAI_BASE_URL: embeddings.baseUrl,
    OPENAI_API_KEY: 'sk-test',
    DATA_DIR: release.dataDir,
  };
  const owner = await release.admin<Owner>(
    ['create-org', '--name', 'Garden club', '--owner-email', 'ada@example.com'],
    env,
  );
  const member = ['--email', 'ben@example.com', '--role', 'MEMBER'];
  const ben = await release.admin<Owner>(['create-user', '--org', owner.orgId, ...member], env);
  const { url } = await release.admin<{ url: string }>(
    ['sign-in-link', '--email', 'ada@example.com'],
    env,
  );
  const server = await release.start(env);
  await talk(caller(server, owner.key), ben.userId);
  await untilAnswered(database.db);
  await signIn(server, url);
  await server.kill('SIGTERM');
  // Without a worker, a job stays in the queue.
  const idle = await release.start(env, ['--no-worker']);
  await administer(caller(idle, owner.key), owner.orgId, ben.userId);
  await idle.kill('SIGTERM');
  await addRareRows(database.db);
  const file = new URL(`../server/test/data/release-${LAST_RELEASE.version}.sql`, import.meta.url);
  await writeFile(file, await dumpRows(database.db, owner.key));
} finally {
  await killAll();
  await embeddings.close();
  await database.drop();
  await release.remove();
}

function caller(server: ServerProcess, key: string): Call {
  return async (method, path, body) => {
    const headers = { 'idempotency-key': randomUUID() };
    const reply = await server.call(method, `/api${path}`, { key, headers, ...(body && { body }) });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.json?.data ?? {};
  };
}

async function talk(call: Call, benId: string): Promise<void> {
  const project = await call('POST', '/projects', { name: 'Roses', access: 'MEMBERS' });
  await call('PUT', `/projects/${project['id']}/members/${benId}`);
  const space = `/spaces/${project['slug']}`;
  const session = `${space}/sessions/${(await call('POST', `${space}/sessions`, { name: 'Spring' }))['id']}`;
  await call('POST', '/memory', { content: 'Roses are pruned in February.', visibility: 'ORG' });
  const question = await call('POST', `${session}/messages`, { body: '@recall when to prune?' });
  await call('POST', `${space}/messages/${question['id']}/reactions`, { emoji: '🚀' });
  await call('PUT', `${session}/read`, { messageId: question['id'] });
  const server = await call('POST', '/mcp/servers', {
    displayName: 'Weather',
    mentionSlug: 'weather',
    endpointUrl: 'https://1.1.1.1/mcp',
    authType: 'BEARER',
    secret: 'not-a-real-token',
  });
  await call('PUT', `/mcp/servers/${server['id']}/projects`, { projectIds: [project['id']] });
}

async function untilAnswered(db: Database): Promise<void> {
  while (
    (await db.query(`SELECT 1 AS one FROM messages WHERE author_kind = 'AGENT'`)).length === 0
  ) {
    await sleep(50);
  }
}

async function signIn(server: ServerProcess, url: string): Promise<void> {
  const token = /[0-9A-Za-z]{43}$/.exec(url)?.[0];
  const headers = { 'sec-fetch-site': 'same-origin' };
  const reply = await server.call('POST', '/web/sign-in', { headers, body: { token } });
  if (reply.status !== 200) throw new Error(`sign-in: ${reply.text}`);
}

async function administer(call: Call, orgId: string, benId: string): Promise<void> {
  const note = await call('POST', '/memory', { content: 'Wrong.', visibility: 'PRIVATE' });
  await call('DELETE', `/memory/${note['id']}`);
  await call('POST', '/billing/topup', { pack: 'small' });
  await call('DELETE', `/org/${orgId}/members/${benId}`);
  await call('POST', `/org/${orgId}/invitations`, { email: 'cleo@example.com', role: 'MEMBER' });
}

/** What only a model's provider or a paid checkout would bring, and what ended with the member. */
async function addRareRows(db: Database): Promise<void> {
  // Tests read it for years.
  await db.query(`UPDATE invitations SET expires_at = '2100-01-01'`);
  await db.query(
    `INSERT INTO project_members (org_id, project_id, user_id)
     SELECT p.org_id, p.id, m.user_id FROM projects p JOIN memberships m ON m.org_id = p.org_id LIMIT 1`,
  );
  await db.query(
    `INSERT INTO ledger_entries (org_id, id, kind, credits, source)
     SELECT id, 'cledgerentry00000000000000', 'TOPUP', 500, 'topup:evt_1' FROM orgs`,
  );
  await db.query(
    `INSERT INTO credit_reservations (org_id, id, credits, expires_at)
     SELECT id, 'creservation00000000000000', 5, now() FROM orgs`,
  );
  await db.query(
    `INSERT INTO payment_events (id, type) VALUES ('evt_1', 'checkout.session.completed')`,
  );
}

/** One INSERT for each table, one line for each row, in the order in which migrations created the tables. */
async function dumpRows(db: Database, key: string): Promise<string> {
  const tables = await db.query<{ name: string; columns: string[]; order: string }>(
    `SELECT c.relname AS name, array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS columns,
       CASE WHEN bool_or(a.attname = 'position') THEN 'position' ELSE '1' END AS order
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0
       AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.oid, c.relname ORDER BY c.oid`,
  );
  const parts = [
    `-- Release ${LAST_RELEASE.version}, made by scripts/make-release-fixture.ts. The owner's key: ${key}`,
  ];
  const empty: string[] = [];
  for (const { name, columns, order } of tables) {
    const values = columns.map((column) => `quote_nullable(${column}::text)`).join(` || ', ' || `);
    const rows = await db.query<{ row: string }>(
      `SELECT '(' || ${values} || ')' AS row FROM ${name} ORDER BY ${order}`,
    );
    if (rows.length === 0) empty.push(name);
    const lines = rows.map(({ row }) => `  ${row}`).join(',\n');
    parts.push(
      `INSERT INTO ${name} (${columns.join(', ')}) OVERRIDING SYSTEM VALUE VALUES\n${lines};`,
    );
  }
  if (empty.length > 0) throw new Error(`nothing made a row of ${empty.join(', ')}`);
  const sequences = await db.query<{ name: string; value: number }>(
    `SELECT sequencename AS name, last_value AS value FROM pg_sequences
     WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1`,
  );
  parts.push(sequences.map(({ name, value }) => `SELECT setval('${name}', ${value});`).join('\n'));
  return `${parts.join('\n\n')}\n`;
}
