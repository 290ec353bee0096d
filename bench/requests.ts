import {
  createProjectRequest,
  getProjectRequest,
  load,
  median,
  type LoadRequest,
  type Measured,
} from './load.ts';
import { setStage, startAtrium, startBare } from './stage.ts';

const ROUNDS = 5;
const SECONDS = 4;
const WARM_UP_SECONDS = 15;
const TARGETS = { GET: 0.6, POST: 0.5 };

/** Compares GET and POST of a Project with a bare handler on the same PostgreSQL. */
export async function benchRequests(): Promise<void> {
  const stage = await setStage();
  const bare = await startBare(stage);
  const atrium = await startAtrium(stage);
  try {
    const [fsync] = await stage.db.query<{ fsync: string }>('SHOW fsync');
    process.stdout.write(
      `requests: ${ROUNDS} rounds of ${SECONDS} s each, alternating; PostgreSQL fsync=${fsync?.fsync}\n`,
    );
    const ids = await makeProjects(atrium.origin, stage.keys, 200);
    await compare(
      'GET',
      [bare.origin, getProjectRequest('/projects', [''], ids)],
      [atrium.origin, getProjectRequest('/api/projects', stage.keys, ids)],
    );
    await compare(
      'POST',
      [bare.origin, createProjectRequest('/projects', [''])],
      [atrium.origin, createProjectRequest('/api/projects', stage.keys)],
    );
  } finally {
    await atrium.stop();
    await bare.stop();
    await stage.drop();
  }
}

type Side = [origin: string, next: () => LoadRequest];

async function compare(method: 'GET' | 'POST', bare: Side, atrium: Side): Promise<void> {
  // V8 needs about ten thousand requests to optimise the code they run through.
  await load(bare[0], WARM_UP_SECONDS, bare[1]);
  await load(atrium[0], WARM_UP_SECONDS, atrium[1]);
  const rounds: { bare: Measured; atrium: Measured }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      bare: await load(bare[0], SECONDS, bare[1]),
      atrium: await load(atrium[0], SECONDS, atrium[1]),
    });
  }
  const ratios = rounds.map((round) => round.atrium.perSecond / round.bare.perSecond);
  const show = (side: 'bare' | 'atrium') =>
    `${median(rounds.map((round) => round[side].perSecond)).toFixed(0)}/s (p50 ${median(rounds.map((round) => round[side].p50))} ms, p99 ${median(rounds.map((round) => round[side].p99))} ms)`;
  const range = `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`;
  process.stdout.write(
    `${method.padEnd(4)}  bare ${show('bare')}  atrium ${show('atrium')}  ratio ${median(ratios).toFixed(2)} (${range}; target: ${TARGETS[method]})\n`,
  );
}

/** Returns the ids. */
export async function makeProjects(
  origin: string,
  keys: readonly string[],
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const response = await fetch(`${origin}/api/projects`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys[0]}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Seed ${made}` }),
    });
    const answer = (await response.json()) as { data: { id: string } };
    ids.push(answer.data.id);
  }
  return ids;
}
