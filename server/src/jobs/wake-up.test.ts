import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ENGINE } from '../../test/harness/databases/database.ts';
import { useTestDatabase } from '../../test/harness/databases/use-test-database.ts';
import { createLogger } from '../core/logger.ts';
import { createBus } from '../bus/create-bus.ts';
import { createWakeUp, type WakeUp } from './wake-up.ts';

const database = useTestDatabase();
const open: WakeUp[] = [];
const logLines: string[] = [];
const log = createLogger('debug', { write: (line: string) => void logLines.push(line) });

afterEach(async () => {
  await Promise.all(open.splice(0).map((wakeUp) => wakeUp.close()));
});

function create(url = database.directUrl) {
  const wakeUp = createWakeUp(createBus({ postgres: url }, log));
  open.push(wakeUp);
  const woken = vi.fn<() => void>();
  const stopListening = wakeUp.onWake(woken);
  return { wakeUp, woken, stopListening };
}

/** It wakes once when it listens, for what it may have missed. */
async function createListening() {
  const created = create();
  if (ENGINE === 'postgres')
    await vi.waitFor(() => expect(created.woken).toHaveBeenCalled(), 30_000);
  created.woken.mockClear();
  return created;
}

it('wakes its own process at once, until told to stop', async () => {
  const { wakeUp, woken, stopListening } = await createListening();
  wakeUp.wake();
  expect(woken).toHaveBeenCalledTimes(1);
  stopListening();
  wakeUp.wake();
  expect(woken).toHaveBeenCalledTimes(1);
});

describe.runIf(ENGINE === 'postgres')('between processes', () => {
  it('wakes the others, rarely for many commits, and not itself again', async () => {
    const [here, there] = [await createListening(), await createListening()];
    const started = performance.now();
    for (let commit = 0; commit < 200; commit++) {
      here.wakeUp.wake();
      await sleep(0);
    }
    const most = 2 + (performance.now() - started) / 10;
    await vi.waitFor(() => expect(there.woken.mock.calls.length).toBeGreaterThanOrEqual(2), 30_000);
    await sleep(100);
    expect(there.woken.mock.calls.length).toBeLessThanOrEqual(most);
    expect(here.woken).toHaveBeenCalledTimes(200);
  });

  it('sends what is queued before it closes', async () => {
    const [here, there] = [await createListening(), await createListening()];
    here.wakeUp.wake();
    await vi.waitFor(() => expect(there.woken).toHaveBeenCalledTimes(1), {
      timeout: 30_000,
      interval: 1,
    });
    here.wakeUp.wake();
    await here.wakeUp.close();
    await vi.waitFor(() => expect(there.woken).toHaveBeenCalledTimes(2), 30_000);
  });

  it('reconnects when the connection breaks, and then sends what is queued', async () => {
    const [here, there] = [await createListening(), await createListening()];
    await database.db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'atrium bus' AND datname = current_database()`,
    );
    await vi.waitFor(
      () => expect(logLines.join('')).toContain('lost the connection to other processes'),
      30_000,
    );
    here.wakeUp.wake();
    await vi.waitFor(() => expect(here.woken).toHaveBeenCalledTimes(2), 30_000);
    await vi.waitFor(() => expect(there.woken).toHaveBeenCalled(), 30_000);
    there.woken.mockClear();
    here.wakeUp.wake();
    await vi.waitFor(() => expect(there.woken).toHaveBeenCalled(), 30_000);
  });

  it('wakes its own process and does not throw if the database is unreachable', async () => {
    const { wakeUp, woken } = create('postgres://nobody:hunter2@127.0.0.1:1/nothing');
    await vi.waitFor(() => expect(logLines.join('')).toContain('ECONNREFUSED'), 30_000);
    wakeUp.wake();
    expect(woken).toHaveBeenCalledTimes(1);
    expect(logLines.join('')).not.toContain('hunter2');
  });
});
