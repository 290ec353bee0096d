import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { invitationToken } from '../../src/features/org/invitation-mail-job.ts';
import { createCaller, type Call } from '../harness/clients/client.ts';
import {
  createTestDatabase,
  SHOWS_WAITS,
  type TestDatabase,
} from '../harness/databases/database.ts';
import { addPerson, createTestOrg, keyWithScopes } from '../harness/factories.ts';
import { startTestServer, type TestServer } from '../harness/processes/server.ts';

/** Two servers on one database: on PostgreSQL, requests truly run at the same time. */
let shared: TestDatabase;
let servers: [TestServer, TestServer];
let calls: [Call, Call];

beforeAll(async () => {
  shared = await createTestDatabase();
  servers = [await startTestServer({ shared }), await startTestServer({ shared })];
  calls = [createCaller(servers[0].origin), createCaller(servers[1].origin)];
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await shared.drop();
});

const anyCall = (at: number): Call => (at % 2 === 0 ? calls[0] : calls[1]);

describe('the last OWNER', () => {
  it('is left, whatever 50 parallel demotions and removals of two OWNERs do', async () => {
    for (let round = 0; round < 4; round++) {
      const org = await createTestOrg(shared.db);
      const second = await addPerson(shared.db, org.orgId, 'OWNER');
      const owners = [org.owner, second];
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, at) => {
          const by = owners[at % 2] ?? second;
          const of = owners[Math.floor(at / 2) % 2] ?? second;
          const path = `/api/org/${org.orgId}/members/${of.userId}`;
          return at % 3 === 0
            ? anyCall(at)('DELETE', path, { key: by.key })
            : anyCall(at)('PATCH', path, { key: by.key, body: { role: 'MEMBER' } });
        }),
      );
      const left = await shared.db.query(
        "SELECT user_id FROM memberships WHERE org_id = $1 AND role = 'OWNER'",
        [org.orgId],
      );
      expect(left).toHaveLength(1);
      expect(replies.filter((reply) => reply.status === 500)).toEqual([]);
    }
  });
});

describe('an invitation', () => {
  it('accepted 100 times at once creates one membership', async () => {
    const org = await createTestOrg(shared.db);
    const home = await createTestOrg(shared.db);
    const invited = await calls[0]('POST', `/api/org/${org.orgId}/invitations`, {
      key: org.owner.key,
      body: { email: home.member.email, role: 'ADMIN' },
    });
    const token = invitationToken(servers[0].tokens, invited.json.data.id, 1);
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        anyCall(at)('POST', `/api/invitations/${token}/accept`, { key: home.member.key }),
      ),
    );
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    expect(replies.filter((reply) => reply.status === 409)).toHaveLength(99);
    const rows = await shared.db.query(
      'SELECT 1 AS found FROM memberships WHERE org_id = $1 AND user_id = $2',
      [org.orgId, home.member.userId],
    );
    expect(rows).toHaveLength(1);
  });

  it('created for one address 20 times at once is one', async () => {
    const org = await createTestOrg(shared.db);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        anyCall(at)('POST', `/api/org/${org.orgId}/invitations`, {
          key: org.owner.key,
          body: { email: at % 2 ? 'New@example.com' : 'new@example.com', role: 'MEMBER' },
        }),
      ),
    );
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 19 }, () => 409),
    ]);
  });
});

describe('a key', () => {
  it('rotated 20 times at once has one successor', async () => {
    const org = await createTestOrg(shared.db);
    const { keyId } = await keyWithScopes(shared.db, org.orgId, org.owner.userId, ['org:read']);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        anyCall(at)('POST', `/api/keys/${keyId}/rotate`, { key: org.owner.key }),
      ),
    );
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
  });
});

describe('the message list', () => {
  it('never adds a message behind a cursor that was already passed, while many write', async () => {
    const org = await createTestOrg(shared.db);
    const key = org.owner.key;
    await calls[0]('POST', '/api/projects', { key, body: { name: 'Busy' } });
    const session = (
      await calls[0]('POST', '/api/spaces/busy/sessions', { key, body: { name: 's' } })
    ).json.data;
    const path = `/api/spaces/busy/sessions/${session.id}/messages`;
    const writing = new AbortController();
    const write = async (writer: number) => {
      for (let at = 0; at < 25; at++) {
        const reply = await anyCall(writer)('POST', path, {
          key,
          body: { body: `${writer}/${at}` },
        });
        expect(reply.status).toBe(201);
      }
    };
    /** Keeps paging to the end, and records for each message what followed it. */
    const follower = new Map<string, string | null>();
    const read = async (reader: number) => {
      do {
        let before: string | null = null;
        let previous: string | undefined;
        do {
          const query: string = before === null ? '?limit=7' : `?limit=7&before=${before}`;
          const page = (await anyCall(reader)('GET', path + query, { key })).json.data;
          for (const { id } of page.items as { id: string }[]) {
            if (previous !== undefined) {
              expect(follower.get(previous) ?? id).toBe(id);
              follower.set(previous, id);
            }
            previous = id;
          }
          before = page.nextBefore;
        } while (before !== null);
      } while (!writing.signal.aborted);
    };
    const reading = Promise.all([read(0), read(1), read(2)]);
    await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
    writing.abort();
    await reading;
    await read(0);
    const { total } = (await calls[0]('GET', path, { key })).json.data;
    expect(total).toBe(200);
    expect(follower.size).toBe(199);
  });

  it.runIf(SHOWS_WAITS)(
    'refuses a message whose session is archived while it is posted',
    async () => {
      const org = await createTestOrg(shared.db);
      const key = org.owner.key;
      await calls[0]('POST', '/api/projects', { key, body: { name: 'Closing' } });
      const session = (
        await calls[0]('POST', '/api/spaces/closing/sessions', { key, body: { name: 's' } })
      ).json.data;
      const path = `/api/spaces/closing/sessions/${session.id}/messages`;
      const send = () =>
        calls[0]('POST', path, {
          key,
          body: { body: 'late' },
          headers: { 'idempotency-key': 'late' },
        });
      const posting = await shared.db.transaction(async (tx) => {
        await tx.query('SELECT 1 AS held FROM sessions WHERE id = $1 FOR UPDATE', [session.id]);
        const reply = send();
        // The statement that inserts waits for the row we hold.
        await vi.waitFor(async () => {
          const waiting = await shared.db.query(
            `SELECT 1 AS found FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          expect(waiting).not.toEqual([]);
        }, 30_000);
        await tx.query('UPDATE sessions SET archived_at = now() WHERE id = $1', [session.id]);
        return { reply };
      });
      const refused = await posting.reply;
      expect([refused.status, refused.json.error.details.reason]).toEqual([
        409,
        'session_archived',
      ]);
      expect((await send()).text).toBe(refused.text);
      expect((await calls[0]('GET', path, { key })).json.data.total).toBe(0);
    },
  );
});
