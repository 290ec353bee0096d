import { beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { AppError, conflict } from '../../src/core/errors.ts';
import { newId } from '../../src/core/ids.ts';
import { requestScope } from '../../src/http/idempotency/idempotency.ts';
import { purgeExpired, recordAtCommit } from '../../src/http/idempotency/store.ts';
import { defineRoute } from '../../src/http/route.ts';
import { ROUTES } from '../../src/app/api.ts';
import { ENGINE } from '../harness/databases/database.ts';
import { createTestOrg, keyWithScopes, type TestOrg } from '../harness/factories.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

let org: TestOrg;

/** A route that calls out, to an external service made of plain functions. */
const provider = { calls: [] as string[], answer: async (): Promise<string> => 'ok' };
const callingOut = defineRoute({
  operationId: 'testCallOut',
  tag: 'Test',
  method: 'POST',
  path: '/test/call-out',
  summary: '',
  description: '',
  auth: 'user',
  scope: null,
  limit: 'write',
  request: { body: z.strictObject({ name: z.string().optional() }) },
  mayReplay: 'always',
  status: 200,
  response: z.object({ outcome: z.string() }),
  async callOut(_ctx, _input, providerKey) {
    provider.calls.push(providerKey);
    return provider.answer();
  },
  handler: async (_ctx, { body }, outcome) => {
    if (body.name === 'conflict') throw conflict('slug_taken', 'taken');
    return { outcome };
  },
});

/** A route that writes before its commit. */
const steps = { begun: 0, written: 0 };
const writingEarly = defineRoute({
  operationId: 'testWriteEarly',
  tag: 'Test',
  method: 'POST',
  path: '/test/write-early',
  summary: '',
  description: '',
  auth: 'user',
  scope: null,
  limit: 'write',
  request: { body: z.strictObject({ name: z.string() }) },
  mayReplay: 'always',
  status: 200,
  response: z.object({ name: z.string() }),
  handler: async (ctx, { body: { name } }) => {
    steps.begun++;
    await ctx.db.query(
      `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
       VALUES ($1, $2, $2, $3, '{}', 'ORG', $4)`,
      [ctx.orgId, newId(), name, ctx.actor.userId],
    );
    steps.written++;
    return { name };
  },
});

const server = useTestServer({ routes: [...ROUTES, callingOut, writingEarly] });
const { call } = server;

beforeAll(async () => {
  org = await createTestOrg(server.db);
});

const post = (
  idempotencyKey: string,
  body: unknown,
  options: { key?: string; path?: string } = {},
) =>
  call('POST', options.path ?? '/api/projects', {
    key: options.key ?? org.owner.key,
    body,
    headers: { 'idempotency-key': idempotencyKey },
  });

/** Lets the next request with a stored response find none until it commits. */
function hideStored(): () => void {
  const { db } = server;
  const transaction = db.transaction.bind(db);
  const spy = vi.spyOn(db, 'transaction').mockImplementation((work) =>
    transaction((tx) => {
      const read = tx.sharedRead.bind(tx);
      tx.sharedRead = async <Row extends object>(text: string, values?: readonly unknown[]) =>
        isLookup(text) ? [] : read<Row>(text, values);
      return work(tx);
    }),
  );
  return () => spy.mockRestore();
}

const isLookup = (text: string) => text.includes('FROM idempotency_keys');

async function countProjects(name: string): Promise<number> {
  const [row] = await server.db.query<{ count: number }>(
    'SELECT count(*) FROM projects WHERE name = $1',
    [name],
  );
  return row?.count ?? 0;
}

describe('a repeated POST', () => {
  it('replays the first response byte for byte, with its own request id', async () => {
    const first = await post('replay', { name: 'Replay' });
    const again = await post('replay', { name: 'Replay' });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await countProjects('Replay')).toBe(1);
  });

  it('answers 409 when the body differs, even in a space', async () => {
    await post('reused', '{"name":"Reused"}');
    const reply = await post('reused', '{"name": "Reused"}');
    expect(reply.status).toBe(409);
    expect(reply.json.error.details.reason).toBe('idempotency_key_reused');
  });

  it("is another request with another caller's key, path or query", async () => {
    await post('scoped', { name: 'Scoped A' });
    const teammate = await post('scoped', { name: 'Scoped B' }, { key: org.admin.key });
    expect(teammate.status).toBe(201);
    const otherPath = await post(
      'scoped',
      { name: 'k', scopes: ['org:read'] },
      { path: '/api/keys' },
    );
    expect(otherPath.status).toBe(201);
  });

  it('waits for the first and creates one row, however many are sent at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => post('burst', { name: 'Burst' })),
    );
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
    expect(replies.filter((reply) => !reply.headers.has('idempotency-replayed'))).toHaveLength(1);
    expect(await countProjects('Burst')).toBe(1);
  });

  it('goes no further than to where it would write', async () => {
    Object.assign(steps, { begun: 0, written: 0 });
    const path = '/api/test/write-early';
    const first = await post('early', { name: 'Early' }, { path });
    const again = await post('early', { name: 'Early' }, { path });
    expect([first.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(steps).toEqual({ begun: 2, written: 1 });
  });

  it('replays a response that another process records after the lookup found none', async () => {
    const path = '/api/test/write-early';
    const first = await post('recorded-late', { name: 'Recorded late' }, { path });
    const stop = hideStored();
    const again = await post('recorded-late', { name: 'Recorded late' }, { path });
    stop();
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await countProjects('Recorded late')).toBe(1);
  });

  it.runIf(ENGINE === 'postgres')(
    'waits for another process without a statement that waits in the database',
    async () => {
      const { db } = server;
      const scope = requestScope(org.orgId, [
        org.owner.keyId,
        'POST',
        '/api/projects',
        'elsewhere',
      ]);
      const read = vi.spyOn(db, 'sharedRead');
      const lookups = () => read.mock.calls.filter(([text]) => isLookup(text)).length;
      const sent = await db.transaction(async (tx) => {
        const claim = { scope, bodyHash: scope.hash, claimId: 'c', status: 201, isRead: false };
        const response = { sealedResponse: scope.hash, isCompressed: false, counted: null };
        recordAtCommit(tx, { ...claim, ...response });
        await tx.query('SELECT pg_advisory_xact_lock($1)', [scope.hash.readBigInt64BE(0)]);
        const reply = post('elsewhere', { name: 'Elsewhere' });
        await expect.poll(lookups).toBeGreaterThan(2);
        return { reply };
      });
      expect((await sent.reply).status).toBe(409);
      read.mockRestore();
      expect(await countProjects('Elsewhere')).toBe(0);
    },
  );

  it('replays a 404 and a 409 from the handler', async () => {
    const missing = { key: org.owner.key, path: '/api/keys/caaaaaaaaaaaaaaaaaaaaaaaa/rotate' };
    const first = await post('missing', {}, missing);
    const again = await post('missing', {}, missing);
    expect([first.status, again.status, again.text]).toEqual([404, 404, first.text]);
    await post('original', { name: 'Clash' });
    const clash = await post('clash', { name: 'Clash' });
    await server.db.query("UPDATE projects SET slug = 'moved' WHERE slug = 'clash'");
    const clashAgain = await post('clash', { name: 'Clash' });
    expect([clash.status, clashAgain.text]).toEqual([409, clash.text]);
    expect(clashAgain.headers.get('idempotency-replayed')).toBe('true');
  });

  it('does not store a 400 or a 403', async () => {
    expect((await post('fix', { name: '' })).status).toBe(400);
    expect((await post('fix', { name: 'Fixed' })).status).toBe(201);
    const limited = await keyWithScopes(server.db, org.orgId, org.owner.userId, [
      'keys:write',
      'org:read',
    ]);
    const body = { name: 'k', scopes: ['org:read', 'org:write'] };
    expect((await post('grow', body, { key: limited.key, path: '/api/keys' })).status).toBe(403);
    const stored = await server.db.query(
      'SELECT 1 AS found FROM idempotency_keys WHERE status NOT IN (200, 201, 404, 409)',
    );
    expect(stored).toEqual([]);
  });

  it('counts as absent after 24 hours, and the purge deletes it', async () => {
    await post('old', { name: 'Old 1' });
    await server.db.query("UPDATE idempotency_keys SET created_at = now() - interval '25 hours'");
    expect((await post('old', { name: 'Old 2' })).status).toBe(201);
    expect((await post('old', { name: 'Old 2' })).headers.get('idempotency-replayed')).toBe('true');
    await post('older', { name: 'Older' });
    const before = await server.db.query('SELECT 1 AS found FROM idempotency_keys');
    expect(await purgeExpired(server.db)).toBe(before.length - 2);
  });

  it('replays in an archived Project, and not to somebody who was removed from it', async () => {
    const project = await call('POST', '/api/projects', {
      key: org.owner.key,
      body: { name: 'Closed later', access: 'MEMBERS' },
    });
    const { id, slug } = project.json.data;
    const { key, userId } = org.member;
    const membership = `/api/projects/${id}/members/${userId}`;
    await call('PUT', membership, { key: org.owner.key });
    const sessions = `/spaces/${slug}/sessions`;
    const session = await post('session', { name: 'S' }, { key, path: `/api${sessions}` });
    const messages = `/api${sessions}/${session.json.data.id}/messages`;
    const send = (name: string, body = 'Hello') => post(name, { body }, { key, path: messages });
    const first = await send('posted');
    expect(first.status).toBe(201);
    // This one is refused before it would be committed.
    const mentioning = await send('mentioning', 'Hello @nobody');
    await call('DELETE', membership, { key: org.owner.key });
    for (const [name, body] of [['posted'], ['mentioning', 'Hello @nobody'], ['another']]) {
      const refused = await send(name as string, body);
      expect(refused.status).toBe(403);
      expect(refused.headers.has('idempotency-replayed')).toBe(false);
    }
    await call('PUT', membership, { key: org.owner.key });
    await call('DELETE', `/api/projects/${id}`, { key: org.owner.key });
    expect((await send('posted')).text).toBe(first.text);
    expect((await send('mentioning', 'Hello @nobody')).text).toBe(mentioning.text);
  });

  it('refuses a caller who has lost their rights since', async () => {
    const { key, keyId } = await keyWithScopes(server.db, org.orgId, org.member.userId, [
      'projects:write',
    ]);
    await post('rights', { name: 'Rights' }, { key });
    await call('DELETE', `/api/keys/${keyId}`, { key: org.member.key });
    expect((await post('rights', { name: 'Rights' }, { key })).status).toBe(401);
  });
});

describe('stored data', () => {
  it('contains neither the Idempotency-Key nor a secret from the response', async () => {
    const made = await post(
      'very-secret-key',
      { name: 'Sealed', scopes: ['org:read'] },
      { path: '/api/keys' },
    );
    const rows = await server.db.query<Record<string, unknown>>('SELECT * FROM idempotency_keys');
    const stored = rows.flatMap((row) =>
      Object.values(row).map((value) =>
        Buffer.isBuffer(value) ? value.toString('latin1') : String(value),
      ),
    );
    for (const text of stored) {
      expect(text).not.toContain('very-secret-key');
      expect(text).not.toContain(made.json.data.secret);
    }
    const again = await post(
      'very-secret-key',
      { name: 'Sealed', scopes: ['org:read'] },
      { path: '/api/keys' },
    );
    expect(again.json.data.secret).toBe(made.json.data.secret);
  });
});

describe('the Idempotency-Key header', () => {
  it.each(['', ' ', 'a b', 'x'.repeat(256), 'ключ'])('400: %j', async (value) => {
    const reply = await call('POST', '/api/projects', {
      key: org.owner.key,
      body: { name: 'Bad key' },
      headers: { 'idempotency-key': Buffer.from(value).toString('latin1') },
    });
    expect(reply.status).toBe(400);
    expect(reply.json.error.details.errors[0].location).toBe('header.idempotency-key');
  });

  it('201: 255 characters', async () => {
    expect((await post('!'.repeat(255), { name: 'Long key' })).status).toBe(201);
  });
});

describe('a route that calls out', () => {
  const path = '/api/test/call-out';

  it('calls once, with its own provider key, and replays', async () => {
    provider.calls = [];
    const replies = await Promise.all(Array.from({ length: 10 }, () => post('once', {}, { path })));
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
    expect(provider.calls).toHaveLength(1);
    expect((await post('once', {}, { path })).headers.get('idempotency-replayed')).toBe('true');
    await post('twice', {}, { path });
    expect(new Set(provider.calls).size).toBe(2);
  });

  it('has no open transaction during the call, so others can write', async () => {
    const calling = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<string>();
    provider.answer = () => {
      calling.resolve();
      return finish.promise;
    };
    const slow = post('slow', {}, { path });
    await calling.promise;
    expect((await post('meanwhile', { name: 'Meanwhile' })).status).toBe(201);
    finish.resolve('done');
    expect((await slow).json.data.outcome).toBe('done');
    provider.answer = async () => 'ok';
  });

  it('keeps its provider key after a failed call, so that the provider recognises the repetition', async () => {
    provider.calls = [];
    provider.answer = async () => {
      throw new AppError('INTERNAL_ERROR', 'the provider is down');
    };
    expect((await post('retry', {}, { path })).status).toBe(500);
    provider.answer = async () => 'up again';
    expect((await post('retry', {}, { path })).json.data.outcome).toBe('up again');
    expect(provider.calls).toHaveLength(2);
    expect(new Set(provider.calls).size).toBe(1);
  });

  it('takes over an expired lease with the same provider key, and waits for a live one', async () => {
    provider.calls = [];
    provider.answer = async () => {
      throw new AppError('INTERNAL_ERROR', 'cut off');
    };
    await post('lease', {}, { path });
    const leaseFor = (interval: string) =>
      server.db.query(
        `UPDATE idempotency_keys SET lease_expires_at = now() + $1::interval WHERE status IS NULL`,
        [interval],
      );
    await leaseFor('1 hour');
    provider.answer = async () => 'taken over';
    const taking = post('lease', {}, { path });
    // This request is behind it in every queue, so a request that does not wait has called by then.
    for (const name of ['One', 'Two']) expect((await post(name, { name })).status).toBe(201);
    expect(provider.calls).toHaveLength(1);
    await leaseFor('0 seconds');
    expect((await taking).json.data.outcome).toBe('taken over');
    expect(provider.calls).toHaveLength(2);
    expect(new Set(provider.calls).size).toBe(1);
  });

  it('stores a 409 from its handler', async () => {
    const first = await post('refused', { name: 'conflict' }, { path });
    const again = await post('refused', { name: 'conflict' }, { path });
    expect([first.status, again.text]).toEqual([409, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});
