import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { invitationToken } from '../../src/features/org/invitation-mail-job.ts';
import { RECORDS_PER_PAGE } from '../../src/lists/record-page.ts';
import { signIn } from '../harness/clients/browser.ts';
import { expectError } from '../harness/clients/envelope.ts';
import { useExportStage } from '../harness/stages/export-stage.ts';
import { addPerson, createTestOrg, type TestOrg } from '../harness/factories.ts';
import { readExport } from '../harness/clients/untar.ts';

const stage = useExportStage();
const { server, exportOrg, exportOwn, bytesOf, recordsOf, post, get, makeRoom, addMessages } =
  stage;
const { call } = server;
let org: TestOrg;

beforeEach(() => {
  ({ org } = stage);
});

describe('GET /org/{orgId}/export', () => {
  it('200: every record as the API shows it, in one file for each kind', async () => {
    const open = await makeRoom('ORG', [org.owner, org.member]);
    const closed = await makeRoom('MEMBERS', [org.admin]);
    const tasks = `/projects/${closed.project.id}/tasks`;
    const task = await post(org.admin.key, tasks, { title: 't', labels: ['l'] });
    await call('DELETE', `/api/projects/${open.project.id}`, { key: org.owner.key });
    await post(org.member.key, '/memory', { content: 'Shared.', visibility: 'ORG' });
    const response = await exportOrg();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/gzip');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('ratelimit-remaining')).not.toBeNull();
    expect(response.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="atrium-${org.orgId}-[\\d-]{10}.tar.gz"$`),
    );
    const found = readExport(await bytesOf(response));
    const byId = (records: { id: string }[]) => records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(found['projects']).toEqual(
      byId([
        await get(org.owner.key, `/projects/${open.project.id}`),
        await get(org.owner.key, `/projects/${closed.project.id}`),
      ]),
    );
    const listed = [
      ...(await get(org.owner.key, open.messages)).items,
      ...(await get(org.owner.key, closed.messages)).items,
    ];
    expect(byId(found['messages'] ?? [])).toEqual(byId(listed));
    expect(new Set(found['sessions']?.map(({ id }) => id))).toEqual(
      new Set([open.session.id, closed.session.id]),
    );
    expect(found['tasks']).toEqual([task]);
    expect(found['task-activity']).toEqual(
      (await get(org.owner.key, `${tasks}/${task.id}/activity`)).items,
    );
    expect(found['memories']).toEqual((await get(org.owner.key, '/memory')).items);
    const members = (await get(org.owner.key, `/org/${org.orgId}/members`)).items;
    expect(members).toEqual(found['members']?.map((one) => ({ ...one, presence: 'OFFLINE' })));
    expect(found['project-members']).toHaveLength(4);
    expect(found['org-keys']).toHaveLength(1);
    expect(found['org']).toMatchObject([{ id: org.orgId }]);
    const { items } = await get(org.owner.key, `/org/${org.orgId}/audit?limit=100`);
    expect(found['audit']).toEqual(items.toReversed());
    expect(found['audit']?.at(-1)).toMatchObject({ action: 'org.exported', resourceId: org.orgId });
    expect(Object.keys(found)).toEqual(
      expect.arrayContaining(['ledger', 'invitations', 'mcp-servers']),
    );
  });

  it('200: several pages of messages, in order, each once', async () => {
    const { session } = await makeRoom('ORG', []);
    await addMessages(session.id, 2 * RECORDS_PER_PAGE + 50);
    const { messages = [] } = await recordsOf(exportOrg());
    expect(messages.map(({ body }) => body)).toEqual(
      Array.from({ length: 2 * RECORDS_PER_PAGE + 50 }, (_, at) => `body ${at + 1}`),
    );
  });

  it('200: nothing of another organisation, no secret and no PRIVATE memory', async () => {
    const other = await createTestOrg(server.db);
    await post(other.owner.key, '/projects', { name: 'Elsewhere' });
    const secret = 'mcp-secret-0123456789';
    await post(org.owner.key, '/mcp/servers', {
      displayName: 'm',
      mentionSlug: 'tracker',
      endpointUrl: 'https://93.184.216.34:22/mcp',
      authType: 'BEARER',
      secret,
    });
    const invitation = await post(org.owner.key, `/org/${org.orgId}/invitations`, {
      email: 'new@example.com',
      role: 'MEMBER',
    });
    const content = 'Only for my own eyes.';
    for (const { key } of [org.owner, org.member]) {
      await post(key, '/memory', { content, visibility: 'PRIVATE' });
    }
    const browser = await signIn(server, org.owner.email, { openedByLink: true });
    await browser.call('PUT', '/web/password', { body: { password: 'correct horse battery' } });
    const hashes = await server.db.query<{ hash: Buffer | string | null }>(
      `SELECT secret_hash AS hash FROM api_keys UNION ALL SELECT token_hash FROM invitations
       UNION ALL SELECT token_hash FROM web_sessions UNION ALL SELECT sealed_secret FROM mcp_servers
       UNION ALL SELECT sealed_secrets FROM channel_connections
       UNION ALL SELECT convert_to(password_hash, 'UTF8') FROM users WHERE password_hash IS NOT NULL`,
    );
    const forbidden = [
      secret,
      content,
      'correct horse battery',
      invitationToken(server.tokens, invitation.id, 1),
      browser.cookie.split('=')[1] ?? '',
      org.orgKey,
      ...[org.owner, org.admin, org.member].map(({ key }) => key),
      ...hashes.flatMap(({ hash }) =>
        hash === null
          ? []
          : (['hex', 'base64', 'base64url', 'utf8'] as const).map((how) =>
              Buffer.from(hash).toString(how),
            ),
      ),
    ];
    for (const response of [exportOrg(), exportOwn(org.admin.key)]) {
      const text = JSON.stringify(await recordsOf(response));
      expect(text).toContain(org.admin.email);
      expect(forbidden.filter((value) => text.includes(value))).toEqual([]);
      expect(text).not.toContain(other.orgId);
      expect(text).not.toContain('Elsewhere');
    }
  });

  it('200 without a body: HEAD starts no export', async () => {
    const reply = await call('HEAD', `/api/org/${org.orgId}/export`, { key: org.owner.key });
    expect([reply.status, reply.text]).toEqual([200, '']);
    expect(
      await server.db.query(
        `SELECT 1 AS one FROM audit_entries WHERE action = 'org.exported' AND org_id = $1`,
        [org.orgId],
      ),
    ).toEqual([]);
  });
});

describe('while an export runs', () => {
  let gate: ReturnType<typeof holdPages>;
  let sessionId: string;

  beforeEach(async () => {
    sessionId = (await makeRoom('ORG', [])).session.id;
    await addMessages(sessionId, 6 * RECORDS_PER_PAGE);
    gate = holdPages();
  });
  afterEach(() => gate.remove());

  /** Stops before each page of messages until it is let through, and counts. */
  function holdPages() {
    const { db } = server;
    const query = db.query.bind(db);
    let opened = Promise.withResolvers<void>();
    let reached = Promise.withResolvers<void>();
    const pages = { read: 0, most: 0, atOnce: 0, mostAtOnce: 0 };
    db.query = async (text: string, values?: readonly unknown[]) => {
      if (!text.includes('page.session_id')) return query(text, values) as never;
      pages.atOnce += 1;
      pages.mostAtOnce = Math.max(pages.mostAtOnce, pages.atOnce);
      reached.resolve();
      await opened.promise;
      const rows = await query(text, values);
      pages.read += 1;
      pages.most = Math.max(pages.most, rows.length);
      pages.atOnce -= 1;
      return rows as never;
    };
    return {
      pages,
      reached: () => reached.promise,
      open: () => opened.resolve(),
      close() {
        opened = Promise.withResolvers();
        reached = Promise.withResolvers();
      },
      remove: () => void (db.query = query),
    };
  }

  const leases = () =>
    server.db.query('SELECT subject FROM running_exports WHERE org_id = $1', [org.orgId]);

  it('409 export_running: a second one of the org; its members can still export their own', async () => {
    const first = exportOrg();
    await gate.reached();
    const second = await call('GET', `/api/org/${org.orgId}/export`, { key: org.owner.key });
    expect(expectError(second, 'CONFLICT')).toEqual({ reason: 'export_running' });
    const own = exportOwn(org.member.key);
    gate.open();
    expect((await recordsOf(own))['messages']).toHaveLength(6 * RECORDS_PER_PAGE);
    expect((await recordsOf(first))['messages']).toHaveLength(6 * RECORDS_PER_PAGE);
    await expect.poll(leases).toEqual([]);
    expect((await recordsOf(exportOrg()))['org']).toHaveLength(1);
  });

  it('memory is constant: one page at a time, each of at most 100 rows', async () => {
    gate.open();
    await recordsOf(exportOrg());
    expect(gate.pages).toEqual({ read: 7, most: RECORDS_PER_PAGE, atOnce: 0, mostAtOnce: 1 });
  });

  it('a reader who leaves ends the work, and the next export can start', async () => {
    const leaving = new AbortController();
    const first = exportOrg(org.owner.key, leaving.signal).catch(() => {});
    await gate.reached();
    leaving.abort();
    await first;
    await expect.poll(() => server.logLines.some((line) => line.includes('/export'))).toBe(true);
    gate.open();
    await expect.poll(leases).toEqual([]);
    expect(gate.pages.read).toBe(1);
    expect((await recordsOf(exportOrg()))['org']).toHaveLength(1);
  });

  it('a caller who loses the right gets no more of it', async () => {
    const second = await addPerson(server.db, org.orgId, 'OWNER');
    const first = await exportOrg(second.key);
    await gate.reached();
    await call('PATCH', `/api/org/${org.orgId}/members/${second.userId}`, {
      key: org.owner.key,
      body: { role: 'MEMBER' },
    });
    gate.open();
    await expect(bytesOf(first)).rejects.toThrow('terminated');
    expect(gate.pages.read).toBe(1);
    await expect.poll(leases).toEqual([]);
  });

  it('the lease is renewed meanwhile, and an export that has lost it ends', async () => {
    const now = performance.now.bind(performance);
    let later = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + later);
    const nextPage = async () => {
      gate.open();
      gate.close();
      await gate.reached();
    };
    const change = (set: string) =>
      server.db.query(`UPDATE running_exports SET ${set} WHERE org_id = $1`, [org.orgId]);
    try {
      const first = await exportOrg();
      await gate.reached();
      await change(`expires_at = now() + interval '1 second'`);
      later += 31_000;
      await nextPage();
      const [lease] = await server.db.query<{ isRenewed: boolean }>(
        `SELECT expires_at > now() + interval '2 minutes' AS "isRenewed" FROM running_exports
         WHERE org_id = $1`,
        [org.orgId],
      );
      expect(lease).toEqual({ isRenewed: true });
      await change(`lease_token = 'another'`);
      later += 31_000;
      gate.open();
      await expect(bytesOf(first)).rejects.toThrow('terminated');
      expect(gate.pages.read).toBe(2);
      expect(await leases()).toEqual([{ subject: 'ORG' }]);
    } finally {
      clock.mockRestore();
    }
  });

  it('409 for at most three minutes after a process ended in the middle', async () => {
    gate.open();
    const insert = (age: string) =>
      server.db.query(
        `INSERT INTO running_exports (org_id, subject, lease_token, expires_at)
         VALUES ($1, 'ORG', 'gone', now() + $2::interval)
         ON CONFLICT (org_id, subject) DO UPDATE SET expires_at = excluded.expires_at`,
        [org.orgId, age],
      );
    await insert('1 second');
    expect((await exportOrg()).status).toBe(409);
    await insert('-1 second');
    expect((await recordsOf(exportOrg()))['messages']).toHaveLength(6 * RECORDS_PER_PAGE);
  });
});

/** What becomes of each table with an organisation: a file of the org's export, or why there is none. */
const TABLES: Record<string, string> = {
  agents: 'agents.jsonl',
  api_keys: 'org-keys.jsonl, without secrets; members export their own',
  audit_entries: 'audit.jsonl',
  channel_connections: 'channel-connections.jsonl, without secrets',
  channel_events: 'temporary',
  channel_files: 'which file is which in a chat system, for the server alone',
  channel_late_files: 'temporary',
  channel_mappings: 'channels.jsonl',
  channel_messages: 'which message is which in a chat system, for the server alone',
  channel_outbox: 'temporary',
  channel_signatures: 'temporary',
  checkouts: 'what came of them is in the ledger',
  credit_accounts: 'the balance is the sum of the ledger',
  credit_reservations: 'temporary',
  deleted_memories: 'deleted',
  departures: 'temporary',
  documents: 'made from the bytes of files',
  external_reactions: 'part of messages.jsonl',
  file_pages: 'made from the bytes of files',
  file_readings: 'temporary',
  file_remains: 'temporary',
  file_uploads: 'temporary',
  file_uses: 'part of messages.jsonl and tasks.jsonl',
  files: 'files.jsonl, and their bytes',
  followed_sessions: 'what each person follows is theirs',
  idempotency_keys: 'temporary',
  invitation_mails: 'temporary',
  invitations: 'invitations.jsonl',
  ledger_entries: 'ledger.jsonl',
  link_pages: 'temporary',
  mcp_server_projects: 'mcp-servers.jsonl',
  mcp_servers: 'mcp-servers.jsonl, without secrets',
  memberships: 'members.jsonl',
  memories: 'memories.jsonl',
  memory_batches: 'temporary',
  memory_scopes: 'counted from memories',
  memory_terms: 'counted from memories',
  mention_names: 'part of agents.jsonl, mcp-servers.jsonl, model-providers.jsonl and members.jsonl',
  message_periods: 'how messages are divided for searches',
  messages: 'messages.jsonl',
  model_providers: 'model-providers.jsonl, without keys',
  model_results: 'the latest replies are in messages.jsonl',
  model_usage: 'usage of each message',
  muted_sessions: 'what each person is told about is theirs',
  notification_digests: 'temporary',
  notifications: 'what each person was told is theirs, and made from messages',
  owed_events: 'temporary',
  passages: 'made from the bytes of files',
  project_members: 'project-members.jsonl',
  projects: 'projects.jsonl',
  provider_models: 'part of model-providers.jsonl',
  reactions: 'part of messages.jsonl',
  read_marks: 'what each person has read is theirs',
  reminders: 'what each person is reminded of is theirs',
  running_exports: 'temporary',
  saved_messages: 'what each person has saved is theirs',
  scheduled_messages: 'what each person sends later is theirs',
  session_summaries: 'made from messages',
  sessions: 'sessions.jsonl',
  task_activity: 'task-activity.jsonl',
  task_views: 'what each person looks at is theirs',
  tasks: 'tasks.jsonl',
  thread_marks: 'what each person has read is theirs',
  untold_messages: 'temporary',
  unversioned_changes: 'temporary',
};

it('somebody has decided about every table: a new one is exported, or listed with a reason', async () => {
  const tables = await server.db.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND column_name = 'org_id' ORDER BY table_name`,
  );
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(TABLES));
  const found = await recordsOf(exportOrg());
  const files = Object.values(TABLES).flatMap((text) => /([\w-]+)\.jsonl/.exec(text)?.[1] ?? []);
  // Two are not of one organisation.
  expect(new Set([...files, 'org', 'photos'])).toEqual(new Set(Object.keys(found)));
});
