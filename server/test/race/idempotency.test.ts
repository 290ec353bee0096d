import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  countProjects,
  createShared,
  expectOneAnswer,
  isReplay,
  post,
  postUntilAnswered,
  spread,
  type Shared,
} from './cluster.ts';
import type { HaltPoint } from './halting-server.ts';
import { killAll, startHaltingServer, startServers, type ServerProcess } from './processes.ts';

let shared: Shared;
beforeAll(async () => {
  shared = await createShared();
});
afterAll(() => shared.drop());

function startOne(halt: { HALT_AT?: HaltPoint } = {}): Promise<ServerProcess> {
  return startHaltingServer({ DATABASE_URL: shared.url, ...halt });
}

/** Names without a letter get a random slug, so that only the lock prevents duplicates. */
const THOUSAND = '★';
const CROWD = '★★';

function request(name: string) {
  return { key: shared.org.owner.key, idempotencyKey: name.replaceAll(' ', '-'), body: { name } };
}

describe('concurrent duplicates', () => {
  afterEach(killAll);

  it('1,000 over three processes create one row and get one response', async () => {
    const servers = await startServers(3, { DATABASE_URL: shared.url });
    const thousand = { ...request(THOUSAND), idempotencyKey: 'thousand' };
    const replies = await spread(servers, 1000, (server) => post(server, thousand));
    expectOneAnswer(replies, 201);
    expect(replies.filter((reply) => !isReplay(reply))).toHaveLength(1);
    expect(await countProjects(shared.db, THOUSAND)).toBe(1);
  });

  it('1,000 need at most two connections each, even if all are refused', async () => {
    const servers = await startServers(3, { DATABASE_URL: shared.url, DATABASE_POOL_MAX: '2' });
    const crowd = { ...request(CROWD), idempotencyKey: 'crowd' };
    expectOneAnswer(await spread(servers, 1000, (server) => post(server, crowd)), 201);
    expect(await countProjects(shared.db, CROWD)).toBe(1);
    await insertProject('Taken', 'taken');
    const clash = request('Taken');
    const refusals = await spread(servers, 1000, (server) => post(server, clash));
    expectOneAnswer(refusals, 409);
    expect(refusals.filter((reply) => !isReplay(reply))).toHaveLength(1);
  });

  it('hold no connection while they wait: others get the only one', async () => {
    const [first, small] = await Promise.all([
      startOne({ HALT_AT: 'before-commit' }),
      startHaltingServer({ DATABASE_URL: shared.url, DATABASE_POOL_MAX: '1' }),
    ]);
    const awaited = request('Awaited');
    const answered = post(first, awaited);
    await first.waitForLine(/^halted/);
    const waiting = spread([small], 300, (server) => post(server, awaited));
    await small.waitForLine(/^busy$/);
    const others = await Promise.all(
      Array.from({ length: 30 }, (_, at) => post(small, request(`Passer-by ${at}`))),
    );
    expect(new Set(others.map((reply) => reply.status))).toEqual(new Set([201]));
    first.tell('go');
    expectOneAnswer([await answered, ...(await waiting)], 201);
  });
});

describe('with two other processes at hand', () => {
  let others: [ServerProcess, ServerProcess];
  beforeAll(async () => {
    others = await Promise.all([startOne(), startOne()]);
  });
  afterAll(killAll);

  const bothWait = () => Promise.all(others.map((server) => server.waitForNextLine(/^busy$/)));

  const newlyAnswered: [HaltPoint, number][] = [
    ['before-commit', 1], // Nothing was stored: another process runs the request.
    ['after-commit', 0], // Everything was stored, so everybody gets a replay.
    ['mid-answer', 0],
  ];

  it.each(newlyAnswered)(
    'the first is killed %s: its clients, retrying elsewhere, get one row and one response',
    async (point, fresh) => {
      const victim = await startOne({ HALT_AT: point });
      const killed = request(`Killed ${point}`);
      const cutOff = spread([victim], 20, () => postUntilAnswered([victim, ...others], killed));
      await victim.waitForLine(/^halted/);
      const waiting = spread(others, 40, (server) => post(server, killed));
      await (point === 'before-commit' ? bothWait() : waiting);
      await victim.kill('SIGKILL');
      const replies = [...(await cutOff), ...(await waiting)];
      expectOneAnswer(replies, 201);
      expect(replies.filter((reply) => !isReplay(reply))).toHaveLength(fresh);
      expect(await countProjects(shared.db, killed.body.name)).toBe(1);
    },
  );

  it('the first is killed mid-response: what arrived is the beginning of what a retry gets', async () => {
    const victim = await startOne({ HALT_AT: 'mid-answer' });
    const torn = request('Torn');
    const response = await fetch(`${victim.origin}/api/projects`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${torn.key}`,
        'content-type': 'application/json',
        'idempotency-key': torn.idempotencyKey,
      },
      body: JSON.stringify(torn.body),
    });
    const arriving = readWhatArrived(response);
    await victim.waitForLine(/^halted/);
    await victim.kill('SIGKILL');
    const begun = await arriving;
    const { text } = await post(others[0], torn);
    expect(begun.length).toBe(text.length >> 1);
    expect(text.startsWith(begun)).toBe(true);
  });

  // A refusal is stored after its transaction has rolled back, so another process can run in between.

  it('the first is refused, another one succeeds: both get the success', async () => {
    const refusing = await startOne({ HALT_AT: 'after-rollback' });
    await insertProject('Freed', 'freed');
    const freed = request('Freed');
    const refused = post(refusing, freed);
    await refusing.waitForLine(/^halted/);
    await moveSlug('freed');
    const succeeded = await post(others[0], freed);
    refusing.tell('go');
    expectOneAnswer([succeeded, await refused], 201);
    expect(isReplay(await refused)).toBe(true);
  });

  it('the first is refused, another one is about to succeed: both get the success', async () => {
    const [refusing, succeeding] = await Promise.all([
      startOne({ HALT_AT: 'after-rollback' }),
      startOne({ HALT_AT: 'before-commit' }),
    ]);
    await insertProject('Contested', 'contested');
    const contested = request('Contested');
    const refused = post(refusing, contested);
    await refusing.waitForLine(/^halted/);
    await moveSlug('contested');
    const succeeded = post(succeeding, contested);
    await succeeding.waitForLine(/^halted/);
    refusing.tell('go');
    await Promise.race([refused, refusing.waitForLine(/^busy$/)]);
    succeeding.tell('go');
    expectOneAnswer([await refused, await succeeded], 201);
    expect([await refused, await succeeded].filter(isReplay)).toHaveLength(1);
  });
});

async function moveSlug(slug: string): Promise<void> {
  await shared.db.query("UPDATE projects SET slug = slug || '-moved' WHERE slug = $1", [slug]);
}

async function insertProject(name: string, slug: string): Promise<void> {
  await shared.db.query(
    `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
     VALUES ($1, $2, $3, $4, '{}', 'ORG', $5)`,
    [shared.org.orgId, slug, slug, name, shared.org.owner.userId],
  );
}

async function readWhatArrived(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array);
    throw new Error('the answer was complete');
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return text;
}
