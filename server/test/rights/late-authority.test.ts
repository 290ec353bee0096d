import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withTransaction } from '../../src/core/context.ts';
import { defineRoute } from '../../src/http/route.ts';
import { ROUTES } from '../../src/app/api.ts';
import { createCaller, type Reply } from '../harness/clients/client.ts';
import { expectError } from '../harness/clients/envelope.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { startTestServer } from '../harness/processes/server.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';
import {
  createCallerWatch,
  isCallerLookup,
  watchDatabase,
} from '../harness/counting/watched-database.ts';

/** Where the routes below wait until the test continues them, and what they did. */
const stage = { reached: Promise.withResolvers<void>(), gate: Promise.withResolvers<void>() };
const done: string[] = [];

async function wait(): Promise<void> {
  stage.reached.resolve();
  await stage.gate.promise;
}

const common = {
  tag: 'Test',
  method: 'POST',
  summary: '',
  description: '',
  auth: 'user',
  roles: ['OWNER', 'ADMIN'],
  scope: 'projects:write',
  limit: 'write',
  mayReplay: 'always',
  request: {},
  status: 200,
  response: z.object({ role: z.string() }),
} as const;
const preparing = defineRoute({
  ...common,
  operationId: 'testPreparing',
  path: '/test/preparing',
  async prepare({ actor }) {
    await wait();
    return actor.role;
  },
  handler: async ({ actor }, _input, preparedAs) => {
    done.push(`${preparedAs} ${actor.role}`);
    return { role: actor.role };
  },
});
const transacting = defineRoute({
  ...common,
  operationId: 'testTransacting',
  path: '/test/transacting',
  handler: async (ctx) => {
    await wait();
    return withTransaction(ctx, async ({ actor }) => {
      done.push(actor.role);
      return { role: actor.role };
    });
  },
});
const callingOut = defineRoute({
  ...common,
  operationId: 'testCallingOut',
  path: '/test/calling-out',
  async callOut() {
    done.push('called');
    await wait();
  },
  handler: async ({ actor }) => {
    done.push('recorded');
    return { role: actor.role };
  },
});

const routes = [...ROUTES, preparing, transacting, callingOut];
const server = useTestServer({ routes, authorityMaxAgeMs: 0 });
const { call } = server;
let org: TestOrg;
let callerLookedUp: () => Promise<void>;

beforeAll(() => {
  callerLookedUp = createCallerWatch(server.db);
});

beforeEach(async () => {
  org = await createTestOrg(server.db);
  stage.reached = Promise.withResolvers();
  stage.gate = Promise.withResolvers();
  done.length = 0;
});

describe('rights that end while a request waits', () => {
  const post = (path: string, { key, idempotencyKey }: { key?: string; idempotencyKey?: string }) =>
    call('POST', `/api/test/${path}`, {
      key: key ?? org.admin.key,
      headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
    });
  const revokeKey = () =>
    server.db.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [org.admin.keyId]);
  const demoteOwner = () =>
    server.db.query("UPDATE memberships SET role = 'ADMIN' WHERE org_id = $1 AND user_id = $2", [
      org.orgId,
      org.owner.userId,
    ]);

  /** Sends it, and runs `change` while it waits. */
  async function during(reply: Promise<Reply>, change: () => Promise<unknown>): Promise<Reply> {
    await stage.reached.promise;
    await change();
    stage.gate.resolve();
    return reply;
  }

  it.each([
    ['while something slow is prepared', 'preparing'],
    ['while something slow is prepared', 'preparing', randomUUID()],
    ['before its transaction opens', 'transacting'],
  ])('401: %s (%s)', async (_title, path, idempotencyKey?: string) => {
    const reply = post(path, idempotencyKey === undefined ? {} : { idempotencyKey });
    expectError(await during(reply, revokeKey), 'AUTH_ERROR');
    expect(done).toEqual([]);
  });

  it.each([
    ['preparing', ['ADMIN ADMIN']],
    ['transacting', ['ADMIN']],
  ])('200: with the remaining rights, from the start (%s)', async (path, expected) => {
    const reply = post(path, { key: org.owner.key });
    const { json } = await during(reply, demoteOwner);
    expect(json.data).toEqual({ role: 'ADMIN' });
    expect(done).toEqual(expected);
  });

  it('200: the result of an outside call is recorded; a repetition that waited gets a 401', async () => {
    const idempotencyKey = randomUUID();
    const first = post('calling-out', { idempotencyKey });
    await stage.reached.promise;
    const admitted = callerLookedUp();
    const second = post('calling-out', { idempotencyKey });
    await admitted;
    expect((await during(first, revokeKey)).status).toBe(200);
    expectError(await second, 'AUTH_ERROR');
    expect(done).toEqual(['called', 'recorded']);
  });

  it('401: a repetition does not run in place of a first request that failed', async () => {
    const idempotencyKey = randomUUID();
    const first = post('preparing', { idempotencyKey });
    await stage.reached.promise;
    const admitted = callerLookedUp();
    const second = post('preparing', { idempotencyKey });
    await admitted;
    expectError(await during(first, revokeKey), 'AUTH_ERROR');
    expectError(await second, 'AUTH_ERROR');
    expect(done).toEqual([]);
  });
});

describe('a quick request', () => {
  it('reads the rights of its caller once', async () => {
    const routes = [...ROUTES, preparing];
    const quick = await startTestServer({ routes, authorityMaxAgeMs: 60_000 });
    try {
      const { owner } = await createTestOrg(quick.db);
      let lookups = 0;
      watchDatabase(quick.db, { queried: (text) => void (isCallerLookup(text) && lookups++) });
      stage.gate.resolve();
      for (const [path, body] of [
        ['/api/projects', { name: 'Quick' }],
        ['/api/test/preparing', {}],
      ] as const) {
        lookups = 0;
        const headers = { 'idempotency-key': randomUUID() };
        const options = { key: owner.key, body, headers };
        const reply = await createCaller(quick.origin)('POST', path, options);
        expect(reply.status, reply.text).toBeLessThan(300);
        expect(lookups).toBe(1);
      }
    } finally {
      await quick.stop();
    }
  });
});
