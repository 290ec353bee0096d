import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
import { killAll, startHaltingServer, type ServerProcess } from './processes.ts';
import { startProvider, type Provider } from './provider.ts';

type Three = [ServerProcess, ServerProcess, ServerProcess];

let shared: Shared;
let provider: Provider;
let servers: Three;

beforeAll(async () => {
  [shared, provider] = await Promise.all([createShared(), startProvider()]);
  servers = (await Promise.all([1, 2, 3].map(startOne))) as Three;
});
beforeEach(() => provider.forgetCalls());
afterAll(async () => {
  await killAll();
  await provider.stop();
  await shared.drop();
});

function startOne(): Promise<ServerProcess> {
  return startHaltingServer({ DATABASE_URL: shared.url, PROVIDER_URL: provider.url });
}

const path = '/api/test/call-outs';

function request(name: string) {
  return { key: shared.org.owner.key, idempotencyKey: name, body: { name }, path };
}

/** Does what waiting 30 seconds would do. */
async function lapseLeases(): Promise<void> {
  await shared.db.query("UPDATE idempotency_keys SET lease_expires_at = now() - interval '1 ms'");
}

const keysOfCalls = () => provider.calls.map((call) => call.key);

describe('a route that calls out, on three processes', () => {
  it('calls once for any number of duplicates, and gives all the same response', async () => {
    const once = request('Once');
    const someoneWaits = Promise.any(servers.map((server) => server.waitForNextLine(/^busy$/)));
    const replies = spread(servers, 90, (server) => post(server, once));
    const call = await provider.waitForCall(1);
    await someoneWaits;
    call.answer();
    expectOneAnswer(await replies, 201);
    expect((await replies).filter((reply) => !isReplay(reply))).toHaveLength(1);
    expect(provider.calls).toHaveLength(1);
    expect(await countProjects(shared.db, 'Once')).toBe(1);
  });

  it('killed during the call: when the lease has expired another one calls, with the same provider key', async () => {
    const [second, third] = servers;
    const victim = await startOne();
    const killed = request('Killed');
    const cutOff = postUntilAnswered([victim, second], killed);
    await provider.waitForCall(1);
    const bothWait = [second, third].map((server) => server.waitForNextLine(/^busy$/));
    const waiting = post(third, killed);
    await victim.kill('SIGKILL');
    await Promise.all(bothWait);
    expect(provider.calls).toHaveLength(1);
    await lapseLeases();
    (await provider.waitForCall(2)).answer();
    const replies = [await cutOff, await waiting];
    expectOneAnswer(replies, 201);
    expect(replies.filter(isReplay)).toHaveLength(1);
    expect(new Set(keysOfCalls()).size).toBe(1);
    expect(provider.calls).toHaveLength(2);
    expect(await countProjects(shared.db, 'Killed')).toBe(1);
  });

  it('slower than its lease: it writes nothing, and responds like the one that took over', async () => {
    const [slow, quick] = servers;
    const overtaken = request('Overtaken');
    const late = post(slow, overtaken);
    const firstCall = await provider.waitForCall(1);
    await lapseLeases();
    const early = post(quick, overtaken);
    (await provider.waitForCall(2)).answer();
    const answered = await early;
    firstCall.answer();
    expectOneAnswer([answered, await late], 201);
    expect(isReplay(await late)).toBe(true);
    expect(new Set(keysOfCalls()).size).toBe(1);
    expect(await countProjects(shared.db, 'Overtaken')).toBe(1);
  });

  it('the provider fails: nothing is stored, and a retry elsewhere has the same provider key', async () => {
    const [first, second] = servers;
    const retried = request('Retried');
    const failing = post(first, retried);
    (await provider.waitForCall(1)).answer(503);
    expect((await failing).status).toBe(500);
    const retry = post(second, retried);
    (await provider.waitForCall(2)).answer();
    expect((await retry).status).toBe(201);
    expect(isReplay(await retry)).toBe(false);
    expect(new Set(keysOfCalls()).size).toBe(1);
  });

  it('the handler refuses after the call: the 409 is stored, and replayed without a call', async () => {
    const [first, second, third] = servers;
    const creating = post(first, request('Taken'));
    (await provider.waitForCall(1)).answer();
    expect((await creating).status).toBe(201);
    const clash = { ...request('Taken'), idempotencyKey: 'clash' };
    const refused = post(second, clash);
    (await provider.waitForCall(2)).answer();
    const replies = [await refused, await post(third, clash), await post(first, clash)];
    expectOneAnswer(replies, 409);
    expect(replies.map(isReplay)).toEqual([false, true, true]);
    expect(provider.calls).toHaveLength(2);
    expect(new Set(keysOfCalls()).size).toBe(2);
  });
});
