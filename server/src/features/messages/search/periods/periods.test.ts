import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createTestOrg } from '../../../../../test/harness/factories.ts';
import { ON_CITUS } from '../../../../../test/harness/databases/postgres-servers.ts';
import { useTestServer } from '../../../../../test/harness/processes/use-test-server.ts';
import { countPost, INDEX_MESSAGES, indexMessages } from '../index-job.ts';
import { dividePeriods } from './service.ts';

const server = useTestServer();

/** The numbers of the periods, the newest message's first. */
async function periodsOf(orgId: string): Promise<number[]> {
  const rows = await server.db.query<{ number: number }>(
    `SELECT (search_keys[1] >> 52 & 4095)::int AS number FROM messages
     WHERE org_id = $1 ORDER BY created_at DESC, position DESC`,
    [orgId],
  );
  return rows.map(({ number }) => number);
}

/** A session in an org of its own. */
async function newPlace() {
  const { orgId, owner } = await createTestOrg(server.db);
  const send = (path: string, body: object) => server.send('POST', `/api${path}`, owner, body);
  const { slug } = await send('/projects', { name: 'P' });
  const { id } = await send(`/spaces/${slug}/sessions`, { name: 's' });
  return {
    orgId,
    say: (body: string) => send(`/spaces/${slug}/sessions/${id}/messages`, { body }),
    found: async (more = {}): Promise<string[]> => {
      const { items } = await send('/messages/search', { query: 'emu', ...more });
      return items.map(({ message }: { message: { body: string } }) => message.body);
    },
  };
}

describe('periods', () => {
  it('begin when the one before is full, and are all searched', async () => {
    const { orgId, say, found } = await newPlace();
    const posts = [];
    for (let at = 0; at < 5; at++) {
      posts.push(await say(`emu ${at}`));
      await dividePeriods(server.db, orgId, 2);
    }
    expect(await periodsOf(orgId)).toEqual([2, 1, 1, 0, 0]);
    expect(await found()).toEqual(['emu 4', 'emu 3', 'emu 2', 'emu 1', 'emu 0']);
    const { createdAt } = posts[2];
    expect(await found({ createdBefore: createdAt })).toEqual(['emu 1', 'emu 0']);
    expect(await found({ createdAfter: createdAt, limit: 2 })).toEqual(['emu 4', 'emu 3']);
  });

  it.each([0, 1, 2047, 2048, 4095])(
    'have the same keys of a text whoever makes them: number %i',
    async (number) => {
      const { orgId, say, found } = await newPlace();
      if (number > 0) {
        await server.db.query(
          `INSERT INTO message_periods (org_id, starts_at, number, messages_before)
           VALUES ($1, now() - interval '1 day', $2, 0)`,
          [orgId, number],
        );
      }
      // The database makes those of the first, and the server those of the others.
      for (let at = 0; at < 3; at++) await say('emu, Straße and 東京');
      const keys = await server.db.query<{ keys: string[] }>(
        'SELECT search_keys::text[] AS keys FROM messages WHERE org_id = $1',
        [orgId],
      );
      expect(new Set(keys.map((each) => each.keys.join())).size).toBe(1);
      expect(keys[0]?.keys.length).toBeGreaterThan(3);
      expect(await periodsOf(orgId)).toEqual([number, number, number]);
      expect(await found()).toHaveLength(3);
    },
  );

  it.skipIf(ON_CITUS)(
    'divide what was there before, with what is indexed already as the newest',
    async () => {
      const { orgId, say, found } = await newPlace();
      for (let at = 0; at < 5; at++) await say(`emu ${at}`);
      await server.db.query(
        `UPDATE messages SET search_keys = NULL, created_at = now() - (10 - position) * interval '2 days'
       WHERE org_id = $1`,
        [orgId],
      );
      for (const table of ['projects', 'sessions']) {
        await server.db.query(
          `UPDATE ${table} SET created_at = now() - interval '30 days' WHERE org_id = $1`,
          [orgId],
        );
      }
      await say('emu 5');
      await dividePeriods(server.db, orgId, 2);
      await indexMessages(
        { db: server.db, log: pino({ level: 'silent' }) },
        { orgId },
        new AbortController().signal,
      );
      await say('emu 6');
      expect(await periodsOf(orgId)).toEqual([0, 0, 1, 1, 2, 2, 3]);
      expect(await found()).toEqual([
        'emu 6',
        'emu 5',
        'emu 4',
        'emu 3',
        'emu 2',
        'emu 1',
        'emu 0',
      ]);
      await dividePeriods(server.db, orgId, 1);
      await say('emu 7');
      expect((await periodsOf(orgId))[0]).toBe(4);
    },
  );

  it('are checked after every 500 posts to an org', async () => {
    const queued: unknown[] = [];
    const jobs = { enqueue: (_tx: unknown, job: unknown) => queued.push(job) };
    await server.db.transaction(async (tx) => {
      for (let at = 0; at < 499; at++) countPost(tx, jobs, 'one');
      for (let at = 0; at < 1_001; at++) countPost(tx, jobs, 'two');
    });
    const job = { kind: INDEX_MESSAGES, payload: { orgId: 'two' }, unlessQueued: true };
    expect(queued).toEqual([job, job]);
  });
});
