import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { countWaits, type Cost } from './harness/count-waits.ts';
import { ENGINE } from './harness/database.ts';
import { createTestOrg, type TestOrg } from './harness/factories.ts';
import { ON_CITUS } from './harness/postgres-servers.ts';
import { useTestServer } from './harness/use-test-server.ts';

// On a busy machine a request takes longer than a second, and reads the rights again.
const server = useTestServer({ authorityMaxAgeMs: 600_000 });
let org: TestOrg;
let messages: string;
let parentMessageId: string;
let handles: string[];

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
  parentMessageId = (await post(messages, { body: 'First' })).json.data.id;
  const members = await server.call('GET', `/api/org/${org.orgId}/members`, { key: org.owner.key });
  handles = members.json.data.items.slice(1).map(({ handle }: { handle: string }) => handle);
});

interface Kind {
  request: () => [path: string, body: object];
  /** On one PostgreSQL. Citus needs BEGIN and COMMIT too, and refuses the position and the message in one. */
  plain: Cost;
  keyed: Cost;
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
      // The caller; the position and the message.
      plain: { waits: 2, statements: 2 },
      // The caller; the search; the answer, the position and the message.
      keyed: { waits: 3, statements: 4 },
      onCitus: 3,
    },
  ],
  [
    'a message in a thread',
    {
      request: () => [messages, { body: 'Hello', parentMessageId }],
      // The caller; who takes part in the thread, that people are to be told, the position, one reply more,
      // the message.
      plain: { waits: 2, statements: 6 },
      keyed: { waits: 3, statements: 8 },
      onCitus: 2,
    },
  ],
  [
    'a message that mentions somebody who does not answer',
    {
      request: () => [messages, { body: 'Hello @nobody' }],
      plain: { waits: 3, statements: 3 },
      // What the handler reads travels with the search.
      keyed: { waits: 3, statements: 5 },
      onCitus: 3,
    },
  ],
  [
    'a message that mentions people',
    {
      request: () => [messages, { body: `Hello @${handles[0]} and @${handles[1]}` }],
      // The caller; who is mentioned; all notifications, the position and the message.
      plain: { waits: 3, statements: 4 },
      keyed: { waits: 3, statements: 6 },
      onCitus: 3,
    },
  ],
  [
    'a Project',
    {
      request: () => ['/projects', { name: `Counted ${randomUUID()}` }],
      // The caller; the Project, the audit entry.
      plain: { waits: 2, statements: 3 },
      keyed: { waits: 3, statements: 5 },
      onCitus: 2,
    },
  ],
];

// The embedded engine runs in this process: nothing travels, and what is sent together takes turns.
describe.runIf(ENGINE === 'postgres')('what a POST sends to the database', () => {
  it.each(kinds)('%s', async (_title, { request, plain, keyed, onCitus }) => {
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
    expect({ plain: first, keyed: withKey }).toEqual({
      plain: addTo(plain, onCitus),
      keyed: addTo(keyed, onCitus),
    });
    expect(replayed.waits).toBe(2);
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
