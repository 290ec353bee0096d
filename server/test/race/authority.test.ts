import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../harness/clients/client.ts';
import { addPerson, type Person } from '../harness/factories.ts';
import { createShared, spread, type Shared } from './cluster.ts';
import {
  killAll,
  startHaltingServer,
  startServer,
  startServers,
  type ServerProcess,
} from './processes.ts';

const CLIENTS = 12;
const BEFORE = 200;
const AFTER = 300;
const ROUNDS = 3;

let shared: Shared;
let servers: ServerProcess[];
/** Carries no load, so that it responds at once. */
let quiet: ServerProcess;
beforeAll(async () => {
  shared = await createShared();
  const env = { DATABASE_URL: shared.url };
  [servers, quiet] = await Promise.all([startServers(3, env), startServer(env)]);
});
afterAll(async () => {
  await killAll();
  await shared.drop();
});

type Send = (server: ServerProcess) => Promise<Reply>;

interface Sent {
  at: number;
  status: number;
}

/** Keeps sending to all servers, before, during and after `change`. */
async function hammerAcross(
  send: Send,
  change: () => Promise<void>,
): Promise<{ before: Sent[]; after: Sent[] }> {
  const sent: Sent[] = [];
  const warm = Promise.withResolvers<void>();
  let changedAt = Infinity;
  let left = AFTER;
  const hammering = spread(servers, CLIENTS, async (server) => {
    while (left > 0) {
      const at = performance.now();
      if (at > changedAt) left--;
      const { status } = await send(server);
      sent.push({ at, status });
      if (sent.length >= BEFORE) warm.resolve();
    }
  });
  await warm.promise;
  await change();
  changedAt = performance.now();
  await hammering;
  return {
    before: sent.slice(0, BEFORE),
    after: sent.filter(({ at }) => at > changedAt),
  };
}

async function expectChange(send: Send, change: () => Promise<void>, from: number, to: number) {
  const { before, after } = await hammerAcross(send, change);
  expect(new Set(before.map(({ status }) => status))).toEqual(new Set([from]));
  expect(new Set(after.map(({ status }) => status))).toEqual(new Set([to]));
  expect(after.length).toBeGreaterThanOrEqual(AFTER);
}

const addAdmin = () => addPerson(shared.db, shared.org.orgId, 'ADMIN');

async function revokeKey({ key, keyId }: Person): Promise<void> {
  const { status } = await quiet.call('DELETE', `/api/keys/${keyId}`, { key });
  expect(status).toBe(200);
}

function listProjects({ key }: Person): Send {
  return (server) => server.call('GET', '/api/projects', { key });
}

function listOrgKeys({ key }: Person): Send {
  return (server) => server.call('GET', `/api/org/${shared.org.orgId}/api-keys`, { key });
}

function replayProject({ key }: Person): Send {
  return (server) =>
    server.call('POST', '/api/projects', {
      key,
      body: { name: 'Replayed' },
      headers: { 'idempotency-key': 'replayed' },
    });
}

describe('three processes under load', () => {
  it('refuse a revoked key from the moment its DELETE was answered', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const person = await addAdmin();
      await expectChange(listProjects(person), () => revokeKey(person), 200, 401);
    }
  });

  it('refuse to replay a response to it, too', async () => {
    const person = await addAdmin();
    await expectChange(replayProject(person), () => revokeKey(person), 201, 401);
  });

  it('never answer a request from a lookup that began before it', async () => {
    const person = await addAdmin();
    const slow = await startHaltingServer({ DATABASE_URL: shared.url, HALT_AT: 'after-lookup' });
    const early = listProjects(person)(slow);
    await slow.waitForLine(/^halted/);
    await revokeKey(person);
    const late = listProjects(person)(slow);
    await slow.call('GET', '/healthz'); // Answered after `late` was read: it was sent later.
    slow.tell('go');
    // `early` may be answered with 200, or with 401 if it took so long that its rights were read again.
    expect([200, 401]).toContain((await early).status);
    expect((await late).status).toBe(401);
  });

  it('apply a changed role from the next request on', async () => {
    const person = await addAdmin();
    const setRole = (role: string) => async () => {
      await shared.db.query('UPDATE memberships SET role = $1 WHERE user_id = $2', [
        role,
        person.userId,
      ]);
    };
    for (let round = 0; round < ROUNDS; round++) {
      await expectChange(listOrgKeys(person), setRole('MEMBER'), 200, 403);
      await expectChange(listOrgKeys(person), setRole('ADMIN'), 403, 200);
    }
  });

  it('refuse a removed member from the next request on', async () => {
    const person = await addAdmin();
    const remove = async () => {
      await shared.db.query('DELETE FROM memberships WHERE user_id = $1', [person.userId]);
    };
    await expectChange(listProjects(person), remove, 200, 401);
  });
});
