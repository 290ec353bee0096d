import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { ENGINE } from '../../test/harness/databases/database.ts';
import { createTestOrg } from '../../test/harness/factories.ts';
import { useTestServer } from '../../test/harness/processes/use-test-server.ts';
import type { Context, EventContext, SystemActor } from '../core/context.ts';
import type { Transaction } from '../db/types.ts';
import { createJobQueue } from '../jobs/queue.ts';
import { createEvents, type Listeners, type Preparations } from './create-events.ts';
import { handleOwed, startListeners, type DurableListener, type Owed } from './durable.ts';
import { claimOwed } from './store.ts';

type Listener = DurableListener<'project.archived'>;

const server = useTestServer();
let orgId: string;
const wakers = new Set<() => void>();
const jobs = createJobQueue({
  wake() {
    for (const waker of wakers) waker();
  },
});
const wakeUp = {
  onWake(waker: () => void) {
    wakers.add(waker);
    return () => void wakers.delete(waker);
  },
};

beforeEach(async () => {
  ({ orgId } = await createTestOrg(server.db));
  await server.db.query('DELETE FROM owed_events');
});

/** The record is the part before the dot. */
const listenerOf = (
  handle: Listener['handle'],
  more: Partial<Listener> = {},
): Listener & { name: string } => ({
  name: 'test',
  recordOf: ({ projectId }) => projectId.split('.')[0],
  handle,
  ...more,
});

const contextOf = (inOrg = orgId) => {
  const known = { orgId: inOrg, db: server.db, jobs, actor: { kind: 'system' } };
  return known as unknown as Context<SystemActor>;
};
const parts = () => ({ db: server.db, log: pino({ level: 'silent' }), contextOf });
const run = (listener: Listener) => handleOwed(parts(), listener);

function emitIn(tx: Transaction, ids: readonly string[], ...listeners: Listener[]): void {
  const table = { 'project.archived': { durably: listeners } } as unknown as Listeners;
  const events = createEvents(table, {} as Preparations);
  const ctx: EventContext = { ...contextOf(), db: tx };
  for (const projectId of ids) events.emit(ctx, { type: 'project.archived', projectId });
}

const emitAll = (ids: readonly string[], ...listeners: Listener[]) =>
  server.db.transaction(async (tx) => emitIn(tx, ids, ...listeners));

const idsOf = (owed: readonly Owed<'project.archived'>[]) =>
  owed.map(({ event }) => event.projectId);
const left = async () => {
  const rows = await server.db.query<{ id: string }>(
    `SELECT event->>'projectId' AS id FROM owed_events ORDER BY id`,
  );
  return rows.map(({ id }) => id);
};
const makeDue = () => server.db.query('UPDATE owed_events SET due_at = now()');

function collector(more: Partial<Listener> = {}) {
  const handled: string[] = [];
  return {
    handled,
    listener: listenerOf(async (_, owed) => void handled.push(...idsOf(owed)), more),
  };
}

describe('a durable listener', () => {
  it('handles exactly what was committed, once', async () => {
    const { handled, listener } = collector();
    await emitAll(['a.1', 'b.1'], listener);
    const undone = server.db.transaction(async (tx) => {
      emitIn(tx, ['c.1'], listener);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await left()).toEqual(['a.1', 'b.1']);
    await Promise.all([run(listener), run(listener)]);
    expect(handled.toSorted()).toEqual(['a.1', 'b.1']);
    expect(await left()).toEqual([]);
  });

  it('is owed nothing that it does not want', async () => {
    await emitAll(
      ['a.1'],
      listenerOf(async () => {}, { recordOf: () => undefined }),
    );
    expect(await left()).toEqual([]);
  });

  it('gets the events of each record in order, one at a time, whatever the processes do', async () => {
    const handled: string[] = [];
    const busy = new Set<string>();
    const listener = listenerOf(
      async (_, owed) => {
        for (const { recordId } of owed) expect(busy).not.toContain(recordId);
        for (const { recordId } of owed) busy.add(recordId);
        await sleep(Math.random() * 5);
        handled.push(...idsOf(owed));
        for (const { recordId } of owed) busy.delete(recordId);
      },
      { atOnce: 2 },
    );
    const records = ['a', 'b', 'c', 'd', 'e'];
    for (let at = 0; at < 8; at++) {
      await emitAll(
        records.map((record) => `${record}.${at}`),
        listener,
      );
    }
    while ((await left()).length > 0) await Promise.all([run(listener), run(listener)]);
    for (const record of records) {
      const own = handled.filter((id) => id.startsWith(record));
      expect(own).toEqual(Array.from({ length: 8 }, (_, at) => `${record}.${at}`));
    }
  });

  it('that fails is tried again later, and only that record waits', async () => {
    const handled: string[] = [];
    let isBroken = true;
    const listener = listenerOf(
      async (_, owed) => {
        if (isBroken && idsOf(owed).includes('bad.1')) throw new Error('broken');
        handled.push(...idsOf(owed));
      },
      { atOnce: 3 },
    );
    await emitAll(['good.1', 'bad.1', 'bad.2', 'fine.1'], listener);
    await run(listener);
    await run(listener);
    expect(handled.toSorted()).toEqual(['fine.1', 'good.1']);
    expect(await left()).toEqual(['bad.1', 'bad.2']);
    const pauses = [];
    for (let attempt = 2; attempt < 5; attempt++) {
      await server.db.query(
        `UPDATE owed_events SET due_at = now() WHERE event->>'projectId' = 'bad.1'`,
      );
      await run(listener);
      const [row] = await server.db.query<{ seconds: number; attempts: number }>(
        `SELECT extract(epoch FROM due_at - now())::float8 AS seconds, attempts
         FROM owed_events ORDER BY id LIMIT 1`,
      );
      expect(row?.attempts).toBe(attempt);
      pauses.push(row?.seconds ?? 0);
    }
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    isBroken = false;
    await makeDue();
    await run(listener);
    expect(handled.slice(2)).toEqual(['bad.1', 'bad.2']);
  });

  it('of a process that was killed is replaced when its lease ends', async () => {
    const { handled, listener } = collector();
    await emitAll(['a.1', 'a.2'], listener);
    const claimed = await claimOwed(server.db, orgId, 'test', { limit: 20, leaseMs: 300 });
    expect(claimed.map(({ recordId }) => recordId)).toEqual(['a']);
    await run(listener);
    expect(handled).toEqual([]);
    await expect.poll(() => run(listener).then(() => handled)).toEqual(['a.1', 'a.2']);
  });

  it('that is slow delays no other, nor another org', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const finished: string[] = [];
    const slow = listenerOf(async (ctx) => {
      if (ctx.orgId === orgId) await released;
      finished.push(ctx.orgId);
    });
    const { handled, listener: fast } = collector({ name: 'fast' });
    const running = startListeners(parts(), [slow, fast] as DurableListener[], wakeUp);
    await emitAll(['a.1'], slow, fast);
    await expect.poll(() => handled).toEqual(['a.1']);
    const first = orgId;
    ({ orgId } = await createTestOrg(server.db));
    const second = orgId;
    orgId = first;
    await server.db.transaction(async (tx) => {
      const table = { 'project.archived': { durably: [slow, fast] } } as unknown as Listeners;
      const events = createEvents(table, {} as Preparations);
      events.emit({ ...contextOf(second), db: tx }, { type: 'project.archived', projectId: 'b.1' });
    });
    await expect.poll(() => finished).toEqual([second]);
    await expect.poll(() => handled).toEqual(['a.1', 'b.1']);
    release();
    await expect.poll(() => finished).toEqual([second, first]);
    await running.stop();
    expect(await left()).toEqual([]);
  });

  // The embedded engine has one session.
  it.runIf(ENGINE === 'postgres')('does not skip what is committed late', async () => {
    const { handled, listener } = collector();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const { promise: inserted, resolve: insert } = Promise.withResolvers<void>();
    const late = server.db.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO owed_events (org_id, listener, record_id, event)
         VALUES ($1, 'test', 'late', '{"projectId": "late.1"}')`,
        [orgId],
      );
      insert();
      await ended;
    });
    await inserted;
    await emitAll(['a.1'], listener);
    await run(listener);
    expect(handled).toEqual(['a.1']);
    end();
    await late;
    await run(listener);
    expect(handled).toEqual(['a.1', 'late.1']);
  });
});
