import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { uploadText } from '../harness/clients/attachments.ts';
import { countWaits, type Cost } from '../harness/counting/count-waits.ts';
import { ENGINE } from '../harness/databases/database.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { ON_CITUS } from '../harness/databases/postgres-servers.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

// On a busy machine a request takes longer than a second, and reads the rights again.
const server = useTestServer({ authorityMaxAgeMs: 600_000, previewHosts: [] });
let org: TestOrg;
let messages: string;
let parentMessageId: string;
let handles: string[];
let fileId: string;

async function post(path: string, body: object, idempotencyKey?: string) {
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  return server.call('POST', `/api${path}`, { key: org.owner.key, body, headers });
}

beforeAll(async () => {
  org = await createTestOrg(server.db);
  const project = await post('/projects', { name: 'Counted' });
  const sessions = `/spaces/${project.json.data.slug}/sessions`;
  const session = await post(sessions, { name: 'Counted' });
  messages = `${sessions}/${session.json.data.id}/messages`;
  fileId = await uploadText(server.call, org.owner, project.json.data.id);
  parentMessageId = (await post(messages, { body: 'First' })).json.data.id;
  const members = await server.call('GET', `/api/org/${org.orgId}/members`, { key: org.owner.key });
  handles = members.json.data.items.slice(1).map(({ handle }: { handle: string }) => handle);
});

/** All that there are, and more wait. */
async function holdConnections(): Promise<() => Promise<unknown>> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const holding = Array.from({ length: 20 }, () =>
    server.db.transaction(async (tx) => {
      await tx.query('SELECT 1 AS one');
      await ended;
    }),
  );
  await expect.poll(() => server.db.load().waiting).toBeGreaterThan(0);
  return () => {
    end();
    return Promise.all(holding);
  };
}

interface Kind {
  request: () => [path: string, body: object];
  /** Before a replay, for whether the caller may still read the session. */
  replayChecks: number;
  /** On one PostgreSQL. Citus needs BEGIN and COMMIT too, and refuses the position and the message in one. */
  plain: Cost;
  onCitus: number;
}

const addTo = ({ waits, statements }: Cost, more: number): Cost => ({
  waits,
  statements: statements + (ON_CITUS ? more : 0),
});

const kinds: [string, Kind][] = [
  [
    'a message',
    {
      request: () => [messages, { body: 'Hello' }],
      replayChecks: 1,
      // The caller; the position and the message.
      plain: { waits: 2, statements: 2 },
      onCitus: 3,
    },
  ],
  [
    'a message with a link',
    {
      request: () => [messages, { body: 'Read https://example.com/a and https://example.org' }],
      replayChecks: 1,
      // The caller; the job that looks at them, the position and the message.
      plain: { waits: 2, statements: 3 },
      onCitus: 3,
    },
  ],
  [
    'a message in a thread',
    {
      request: () => [messages, { body: 'Hello', parentMessageId }],
      replayChecks: 1,
      // The caller; who takes part in the thread, that people are to be told, the position, one reply more,
      // the message.
      plain: { waits: 2, statements: 6 },
      onCitus: 2,
    },
  ],
  [
    'a message that mentions somebody who does not answer',
    {
      request: () => [messages, { body: 'Hello @nobody' }],
      replayChecks: 1,
      // The caller; who is mentioned; who has that name; the position and the message.
      plain: { waits: 4, statements: 4 },
      onCitus: 4,
    },
  ],
  [
    'a message that mentions people',
    {
      request: () => [messages, { body: `Hello @${handles[0]} and @${handles[1]}` }],
      replayChecks: 1,
      // The caller; who is mentioned; all notifications, the position and the message, and who follows now.
      plain: { waits: 3, statements: 5 },
      onCitus: 3,
    },
  ],
  [
    'a message to everyone',
    {
      request: () => [messages, { body: 'Hello @everyone' }],
      replayChecks: 1,
      // The caller; whether they may; that people are to be told, the position and the message.
      plain: { waits: 3, statements: 4 },
      onCitus: 3,
    },
  ],
  [
    'a post with a file',
    {
      request: () => [messages, { fileIds: [fileId] }],
      replayChecks: 2,
      // The caller; the file; its lock, that it is kept, the position and the message, its use, who is told.
      plain: { waits: 3, statements: 7 },
      onCitus: 3,
    },
  ],
  [
    'a Project',
    {
      request: () => ['/projects', { name: `Counted ${randomUUID()}` }],
      replayChecks: 0,
      // The caller; the Project, the audit entry.
      plain: { waits: 2, statements: 3 },
      onCitus: 2,
    },
  ],
];

// The embedded engine runs in this process: nothing travels, and what is sent together takes turns.
describe.runIf(ENGINE === 'postgres')('what a POST sends to the database', () => {
  it.each(kinds)('%s', async (_title, { request, replayChecks, plain, onCitus }) => {
    const first = await countWaits(async () => {
      expect((await post(...request())).status).toBe(201);
    });
    let [key, asked] = ['', request()];
    const withKey = await countWaits(async () => {
      [key, asked] = [randomUUID(), request()];
      expect((await post(...asked, key)).status).toBe(201);
    });
    const replayed = await countWaits(async () => {
      const reply = await post(...asked, key);
      expect(reply.headers.get('idempotency-replayed')).toBe('true');
    });
    const expected = addTo(plain, onCitus);
    expect(first).toEqual(expected);
    // The answer is stored with the rest, and claims the key.
    expect(withKey).toEqual({ ...expected, statements: expected.statements + 1 });
    // The claim is refused, on Citus the rest is rolled back, the answer is read, and rights are checked.
    expect(replayed.waits).toBe(expected.waits + (ON_CITUS ? 2 : 1) + replayChecks);
  });

  const messageKinds = kinds.filter(([title]) => title.startsWith('a message'));
  it.runIf(!ON_CITUS).each(messageKinds)('%s: 16 that wait share commits', async (_title, kind) => {
    const release = await holdConnections();
    const begun = vi.spyOn(server.db, 'transaction');
    const posting = Array.from({ length: 16 }, () => post(...kind.request(), randomUUID()));
    await expect.poll(() => begun.mock.calls.length).toBe(16);
    await expect.poll(() => server.db.load().waiting).toBeGreaterThan(0);
    begun.mockRestore();
    await release();
    const ids = (await Promise.all(posting)).map(({ json }) => json.data.id);
    const commits = await server.db.query(
      'SELECT DISTINCT xmin::text AS id FROM messages WHERE org_id = $1 AND id = ANY ($2)',
      [org.orgId, ids],
    );
    expect(commits.length).toBeLessThan(16);
  });

  it('refused: what was refused, and why, and the answer for repetitions', async () => {
    const { slug } = (await post('/projects', { name: 'Taken' })).json.data;
    expect(slug).toBe('taken');
    const cost = await countWaits(async () => {
      expect((await post('/projects', { name: 'Taken' }, randomUUID())).status).toBe(409);
    });
    // On Citus also for ROLLBACK.
    expect(cost.waits).toBe(ON_CITUS ? 5 : 4);
  });
});

// The embedded engine has one session, which knows how its statements were planned.
describe.runIf(ENGINE === 'embedded')('what is sent all day', () => {
  it('is planned a few times and then no more', async () => {
    const query = { query: 'What did we count?' };
    for (let nth = 0; nth < 8; nth++) {
      expect((await post(messages, { body: 'Hello' }, randomUUID())).status).toBe(201);
      expect((await post(messages, { body: 'Hello', parentMessageId })).status).toBe(201);
      expect((await post(messages, { body: `Hello @${handles[0]}` })).status).toBe(201);
      expect((await post('/memory/search', query)).status).toBe(200);
      const listed = await server.call('GET', `/api${messages}`, { key: org.owner.key });
      expect(listed.status).toBe(200);
    }
    const planned = await server.db.query(
      `SELECT statement FROM pg_prepared_statements
       WHERE custom_plans >= 8 AND statement NOT LIKE '%pg_notify%' /* all orgs */`,
    );
    expect(planned).toEqual([]);
  });
});
