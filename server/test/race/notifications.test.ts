import { readdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { until } from '../harness/stages/agent-stage.ts';
import { addPerson, type Person } from '../harness/factories.ts';
import { createShared, postUntilAnswered, type Shared } from './cluster.ts';
import { killAll, spawnNode, startServer, type ServerProcess, type Spawned } from './processes.ts';

const MESSAGES = 90;
const READERS = 10;

let shared: Shared;
let folder: string;
beforeAll(async () => {
  shared = await createShared();
  folder = await mkdtemp(join(tmpdir(), 'atrium-digests-'));
});
afterEach(killAll);
afterAll(async () => {
  await shared.drop();
  await rm(folder, { recursive: true, force: true });
});

const env = () => ({
  DATABASE_URL: shared.url,
  DATA_DIR: folder,
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
});

async function startWorker(): Promise<Spawned> {
  const worker = spawnNode('../../src/main.ts', ['worker'], env());
  await worker.waitForLine(/"msg":"worker started"/);
  return worker;
}

it('servers and workers that are killed leave one notification per person and message, and one digest', async () => {
  const { org, db } = shared;
  const readers: Person[] = [];
  for (let at = 0; at < READERS; at++) readers.push(await addPerson(db, org.orgId, 'MEMBER'));
  const servers = await Promise.all([1, 2, 3].map(() => startServer(env(), ['--no-worker'])));
  const [first, second, last] = servers as [ServerProcess, ServerProcess, ServerProcess];
  const { key } = org.owner;
  const project = await first.call('POST', '/api/projects', { key, body: { name: 'Race' } });
  const sessions = `/api/spaces/${project.json.data.slug}/sessions`;
  const session = await first.call('POST', sessions, { key, body: { name: 'Race' } });
  const path = `${sessions}/${session.json.data.id}/messages`;
  const members = await first.call('GET', `/api/org/${org.orgId}/members`, { key });
  const handles = new Map<string, string>(
    members.json.data.items.map((one: { userId: string; handle: string }) => [
      one.userId,
      one.handle,
    ]),
  );
  const body = { body: readers.map(({ userId }) => `@${handles.get(userId)}`).join(' ') };

  // Clients repeat what breaks off. Two of the three servers are killed while they answer.
  let sent = 0;
  const sendAll = async () => {
    while (sent < MESSAGES) {
      const idempotencyKey = `message-${sent++}`;
      if (sent === MESSAGES / 3) first.signal('SIGKILL');
      if (sent === (2 * MESSAGES) / 3) second.signal('SIGKILL');
      const order = sent % 2 === 0 ? [first, second, last] : [second, first, last];
      const reply = await postUntilAnswered(order, { key, idempotencyKey, body, path });
      expect(reply.status, reply.text).toBe(201);
    }
  };
  const count = async (sql: string) => {
    const [row] = await db.query<{ count: number }>(`SELECT count(*) FROM ${sql}`);
    return row?.count ?? 0;
  };
  // Meanwhile one worker after the other tells people, and is killed.
  const sending = Promise.all(Array.from({ length: 6 }, sendAll));
  for (let round = 0; round < 4; round++) {
    const teller = await startWorker();
    await new Promise((resolve) => setTimeout(resolve, 100 + round * 15));
    await teller.kill();
  }
  await sending;
  const lastTellers = await Promise.all([startWorker(), startWorker()]);
  await until(async () => (await count('owed_events')) === 0);
  for (const teller of lastTellers) await teller.kill();
  const counts = await db.query<{ messages: number; notifications: number; people: number }>(
    `SELECT (SELECT count(*) FROM messages WHERE org_id = $1) AS messages,
       (SELECT count(*) FROM notifications WHERE org_id = $1) AS notifications,
       (SELECT count(DISTINCT (user_id, id)) FROM notifications WHERE org_id = $1) AS people`,
    [org.orgId],
  );
  const expected = MESSAGES * READERS;
  expect(counts).toEqual([{ messages: MESSAGES, notifications: expected, people: expected }]);

  // Workers look for digests as soon as they start. Each is killed at another moment.
  await db.query(`UPDATE notifications SET created_at = created_at - interval '20 minutes'`);
  for (let round = 0; round < 4; round++) {
    const worker = await startWorker();
    await new Promise((resolve) => setTimeout(resolve, round * 15));
    await worker.kill();
  }
  const mailsPerReader = async () => {
    const mails = await readdir(join(folder, 'mail'));
    return readers.map(({ email }) => mails.filter((mail) => mail.includes(email)).length);
  };
  const settle = async (isSettled: () => Promise<boolean>) => {
    const workers = await Promise.all([startWorker(), startWorker()]);
    // Without jobs, they may not have looked for digests yet.
    const hasJobs = async () => (await count(`jobs WHERE kind = 'digest-mail'`)) > 0;
    await until(async () => (await isSettled()) && !(await hasJobs()));
    for (const worker of workers) await worker.kill();
  };
  await settle(async () => (await count('notification_digests')) === READERS);
  const inFirstHour = await mailsPerReader();
  expect(inFirstHour.filter((mails) => mails > 1)).toEqual([]);
  // Whoever was killed while sending left it to the next hour.
  await db.query(`UPDATE notification_digests SET claimed_at = claimed_at - interval '61 minutes'`);
  await settle(async () => (await count('notifications WHERE is_mail_due')) === 0);
  const inAll = await mailsPerReader();
  expect(inAll.filter((mails) => mails < 1 || mails > 2)).toEqual([]);
  expect(inAll.reduce((sum, mails) => sum + mails, 0)).toBeLessThan(2 * READERS);
}, 120_000);

it('workers that are killed post each scheduled message once, and remind once', async () => {
  const { org, db } = shared;
  const { key } = org.member;
  const server = await startServer(env(), ['--no-worker']);
  const project = await server.call('POST', '/api/projects', { key, body: { name: 'Later' } });
  const sessions = `/api/spaces/${project.json.data.slug}/sessions`;
  const session = await server.call('POST', sessions, { key, body: { name: 'Later' } });
  const path = `${sessions}/${session.json.data.id}/messages`;
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const names = Array.from({ length: 25 }, (_, nth) => `later ${nth}`);
  for (const text of names) {
    const sent = await server.call('POST', path, { key, body: { body: text, sendAt: at } });
    const set = await server.call('POST', '/api/reminders', { key, body: { text, at } });
    expect([sent.status, set.status]).toEqual([201, 201]);
  }
  // The hour passes. Each has two jobs, which different workers run at the same time.
  await db.query('UPDATE scheduled_messages SET send_at = now() WHERE org_id = $1', [org.orgId]);
  await db.query('UPDATE reminders SET remind_at = now() WHERE org_id = $1', [org.orgId]);
  await db.query(
    `INSERT INTO jobs (kind, payload, run_at) SELECT kind, payload, now() FROM jobs
     WHERE kind IN ('send-scheduled-message', 'remind')`,
  );
  await db.query('UPDATE jobs SET run_at = now()');
  for (let round = 0; round < 2; round++) {
    const worker = await startWorker();
    await new Promise((resolve) => setTimeout(resolve, 10 + round * 20));
    await worker.kill();
  }
  await Promise.all([startWorker(), startWorker()]);
  await until(async () => {
    const left = await db.query(
      `SELECT 1 AS one FROM jobs WHERE kind IN ('send-scheduled-message', 'remind')`,
    );
    return left.length === 0;
  });
  const posted = await db.query<{ body: string }>(
    'SELECT body FROM messages WHERE org_id = $1 AND session_id = $2',
    [org.orgId, session.json.data.id],
  );
  const told = await db.query<{ note: string }>(
    `SELECT note FROM notifications WHERE org_id = $1 AND kind = 'REMINDER'`,
    [org.orgId],
  );
  expect(posted.map(({ body }) => body).toSorted()).toEqual(names.toSorted());
  expect(told.map(({ note }) => note).toSorted()).toEqual(names.toSorted());
  const left = await db.query(
    `SELECT id FROM scheduled_messages WHERE org_id = $1
     UNION ALL SELECT id FROM reminders WHERE org_id = $1`,
    [org.orgId],
  );
  expect(left).toEqual([]);
}, 240_000);
