import { load, median } from './load.ts';
import { setStage, startWorkingAtrium, type ServerProcess, type Stage } from './stage.ts';
import { fillSessions, postRequest } from './writes.ts';

const SIZES = ['5', '10', '20', '40'];
/** Microseconds that PostgreSQL waits before a flush, for others to join it. */
const DELAYS = ['0', '200'];
const SESSIONS = 100;
const ROUNDS = 3;
const SECONDS = 3;

/** How many messages are posted per second, by the pool's size and PostgreSQL's `commit_delay`. */
export async function benchPool(): Promise<void> {
  const stage = await setStage();
  const sessions = await fillSessions(stage, SESSIONS);
  try {
    for (const delay of DELAYS) await comparePools(stage, sessions, delay);
  } finally {
    await stage.drop();
  }
}

async function comparePools(stage: Stage, sessions: string[], delay: string): Promise<void> {
  const url = new URL(stage.databaseUrl);
  url.searchParams.set('options', `-c commit_delay=${delay}`);
  const servers: { size: string; server: ServerProcess; rates: number[] }[] = [];
  const next = postRequest('/api/spaces/bench', stage, sessions, false);
  try {
    for (const size of SIZES) {
      const env = { DATABASE_URL: url.href, DATABASE_POOL_MAX: size };
      servers.push({ size, server: await startWorkingAtrium(stage, env), rates: [] });
    }
    for (const { server } of servers) await load(server.origin, SECONDS, next);
    for (let round = 0; round < ROUNDS; round++) {
      for (const { server, rates } of servers) {
        rates.push((await load(server.origin, SECONDS, next)).perSecond);
      }
    }
    const line = servers.map(({ size, rates }) => `${size}: ${median(rates).toFixed(0)}/s`);
    process.stdout.write(
      `pool: posts by DATABASE_POOL_MAX, commit_delay ${delay} µs: ${line.join(', ')}\n`,
    );
  } finally {
    for (const { server } of servers) await server.stop();
  }
}
