import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../src/config/config.ts';
import { openDatabase } from '../../src/db/engines/open.ts';
import { busUrls, createBus } from '../../src/bus/create-bus.ts';
import { createWakeUp } from '../../src/jobs/wake-up.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { createLogger } from '../../src/core/logger.ts';

/** The payload of `mark` jobs: which mark to leave, and how long to take. */
export interface Mark {
  mark: number;
  ms: number;
}

/** A worker process whose jobs take some time, then leave a mark in the test's table. It prints what it starts. */
const config = readConfig(process.env);
const log = createLogger('warn');
const db = await openDatabase(config, log);
const wakeUp = createWakeUp(createBus(busUrls(config), log));
const worker = startWorker({
  db,
  wakeUp,
  log,
  handlers: {
    async mark(payload, { attempt, signal }) {
      const { mark, ms } = payload as Mark;
      process.stdout.write(`started ${mark} attempt ${attempt}\n`);
      await sleep(ms / 2, undefined, { signal });
      await db.query('INSERT INTO marks (mark) VALUES ($1) ON CONFLICT DO NOTHING', [mark]);
      await sleep(ms / 2, undefined, { signal });
    },
  },
  timing: {
    ...(process.env['GRACE_MS'] && { graceMs: Number(process.env['GRACE_MS']) }),
    ...(process.env['POLL_MS'] && { pollEveryMs: Number(process.env['POLL_MS']) }),
  },
});
process.stdout.write('working\n');

process.once('SIGTERM', () => {
  void (async () => {
    await worker.stop();
    await wakeUp.close();
    await db.close();
  })();
});
