import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startAgentStage, until, type AgentStage } from '../harness/stages/agent-stage.ts';
import { SCOPES } from '../../src/features/keys/scopes.ts';
import { signIn } from '../harness/clients/browser.ts';
import { createTestDatabase, type TestDatabase } from '../harness/databases/database.ts';
import { createTestOrg, keyWithScopes } from '../harness/factories.ts';
import type { ModelServer } from '../harness/outside/model-server.ts';
import { startOpenAiChatServer } from '../harness/outside/openai-chat-server.ts';

let ada: ModelServer;
let database: TestDatabase;
const started = new Set<AgentStage>();

beforeAll(async () => {
  ada = await startOpenAiChatServer();
  database = await createTestDatabase();
});
afterEach(() => Promise.all([...started].map(stop)));
afterAll(async () => {
  await ada.close();
  await database.drop();
});

async function start(): Promise<AgentStage> {
  const models = [{ slug: 'ada', server: ada }];
  // Soon done with waiting for a call that hangs, and with finding a job that nobody announced.
  const jobTiming = { graceMs: 50, pollEveryMs: 50 };
  const stage = await startAgentStage(models, { shared: database, jobTiming });
  started.add(stage);
  return stage;
}

async function stop(stage: AgentStage): Promise<void> {
  if (started.delete(stage)) await stage.stop();
}

describe('the questions of one org', () => {
  it('run four at a time, and do not keep another org waiting', { timeout: 120_000 }, async () => {
    const stage = await start();
    const gate = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    ada.answerWith(async (request) => {
      if (!request.messages[0]?.content.includes('session="Backlog"')) return 'At once.';
      most = Math.max(most, ++running);
      await gate.promise;
      await sleep(20);
      running--;
      return 'Slowly.';
    });
    const busy = await stage.openRoom({ name: 'Backlog' });
    const other = await stage.openRoom({}, await createTestOrg(stage.server.db));
    await Promise.all(Array.from({ length: 40 }, () => busy.post('@ada')));
    await ada.received(4);
    const [reply] = await other.ask('@ada');
    expect(reply?.body).toBe('At once.');
    expect(ada.requests).toHaveLength(5);
    gate.resolve();
    await stage.settled();
    expect(ada.requests).toHaveLength(41);
    expect(most).toBe(4);
  });
});

describe('the questions of all orgs that one person created', () => {
  it('run eight at a time, and leave room for another org', { timeout: 120_000 }, async () => {
    const stage = await start();
    const { db } = stage.server;
    const gate = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    ada.answerWith(async (request) => {
      if (!request.messages[0]?.content.includes('session="Backlog"')) return 'At once.';
      most = Math.max(most, ++running);
      await gate.promise;
      running--;
      return 'Slowly.';
    });
    const before = ada.requests.length;
    const creator = await signIn(stage.server, stage.org.owner.email);
    for (let made = 0; made < 10; made++) {
      const { id } = (await creator.call('POST', '/api/orgs', { body: { name: `Org ${made}` } }))
        .json.data;
      const owner = {
        ...stage.org.owner,
        ...(await keyWithScopes(db, id, stage.org.owner.userId, SCOPES)),
      };
      const room = await stage.openRoom({ name: 'Backlog' }, { ...stage.org, orgId: id, owner });
      for (let asked = 0; asked < 4; asked++) await room.post('@ada', { key: owner.key });
    }
    await ada.received(before + 8);
    const other = await stage.openRoom({}, await createTestOrg(db));
    const [reply] = await other.ask('@ada');
    expect(reply?.body).toBe('At once.');
    expect(ada.requests).toHaveLength(before + 9);
    gate.resolve();
    await stage.settled();
    expect(ada.requests).toHaveLength(before + 41);
    expect(most).toBe(8);
  });
});

describe('a server that stops in the middle of a call', () => {
  it(
    'hands the question back, and another server answers it, once',
    { timeout: 120_000 },
    async () => {
      const first = await start();
      const room = await first.openRoom();
      const before = ada.requests.length;
      ada.answerWith([{ hang: 'silent' }, 'From the second one.']);
      const { id } = await room.post('@ada who are you?');
      await ada.received(before + 1);
      const stopping = stop(first);
      await ada.hungUp(1);
      await stopping;
      const [job] = await database.db.query('SELECT attempts, lease_token FROM jobs');
      expect(job).toEqual({ attempts: 0, lease_token: null });

      const second = await start();
      await second.settled();
      const replies = await database.db.query(
        'SELECT body, status FROM messages WHERE in_reply_to_message_id = $1',
        [id],
      );
      expect(replies).toEqual([{ body: 'From the second one.', status: 'COMPLETED' }]);
      expect(ada.requests).toHaveLength(before + 2);
    },
  );
});

describe('a question that nobody can answer', () => {
  it('ends as FAILED when its job dies, and a revived job does not answer it again', async () => {
    const stage = await start();
    const room = await stage.openRoom();
    const { id } = await room.post('hello');
    // As if its worker had been lost ten times.
    const payload = { orgId: stage.org.orgId, messageId: id, mention: 'ada' };
    await database.db.query(
      `INSERT INTO jobs (kind, payload, lane, run_at, attempts)
       VALUES ('agent-reply', $1, $2, now(), 10)`,
      [JSON.stringify(payload), stage.org.orgId],
    );
    const [reply] = await room.replies(id);
    expect(reply).toMatchObject({
      agentSlug: 'ada',
      status: 'FAILED',
      error: { code: 'gave_up' },
      body: "Couldn't generate a reply. The server failed too many times. Try again.",
    });
    await until(async () => {
      const rows = await database.db.query('SELECT 1 FROM jobs WHERE dead_at IS NOT NULL');
      return rows.length === 1;
    });
    await database.db.query('UPDATE jobs SET dead_at = NULL, attempts = 0, run_at = now()');
    await stage.settled();
    expect(await room.list()).toHaveLength(2);
  });
});
