import { MODEL } from '../server/src/adapters/embeddings/local/model-files.ts';
import { atOnce } from '../server/src/text/words/in-turns.ts';
import { indexText, saltOf } from '../server/src/text/words/lexical.ts';
import { median, percentile } from './load.ts';
import { questions, sentences } from './sentences.ts';
import { setAnyStage, startAtrium, startWorkingAtrium, type Stage } from './stage.ts';

const MEMORIES = 10_000;
const IDLE_SEARCHES = 200;
const TARGET_RATIO = 2;

/** Measures searches while the embedding model reads all memories of another model again. PostgreSQL only. */
export async function benchReembedding(asked?: string): Promise<void> {
  const stage = await setAnyStage();
  const count = asked === undefined ? MEMORIES : Number(asked);
  try {
    await fill(stage, count);
    const idle = await startAtrium(stage);
    const idleTimes = await search(idle.origin, stage, (done) => done < IDLE_SEARCHES);
    await idle.stop();
    await stage.db.query(`UPDATE memories SET embedding_model = 'another'`);
    const startedAt = performance.now();
    const working = await startWorkingAtrium(stage, {});
    let left = count;
    const busyTimes = await search(working.origin, stage, async (done) => {
      if (done % 20 === 0) left = await countLeft(stage);
      return left > 0;
    });
    const took = (performance.now() - startedAt) / 1000;
    await working.stop();
    const ratio = percentile(busyTimes, 0.95) / percentile(idleTimes, 0.95);
    process.stdout.write(
      `reembed: ${count} memories read again in ${took.toFixed(0)} s; searches p50 and p95: idle ${show(idleTimes)}, meanwhile ${show(busyTimes)} (${busyTimes.length}); ratio of p95 ${ratio.toFixed(2)} (target: ${TARGET_RATIO})\n`,
    );
  } finally {
    await stage.drop();
  }
}

/** One memory through the API, copied with other contents: its vector is as good as any. */
async function fill(stage: Stage, count: number): Promise<void> {
  const atrium = await startAtrium(stage);
  await post(atrium.origin, stage, '/memory', { content: 'The first one.', visibility: 'ORG' });
  await atrium.stop();
  const contents = sentences(count);
  const salts = [saltOf(stage.orgId, null)];
  const indexed = contents.map((content) => atOnce(indexText(content, salts)));
  await stage.db.query(
    `INSERT INTO memories (org_id, id, owner_user_id, visibility, content, tags, terms, term_weights,
       embedding, embedding_model, token_vectors, token_model, created_at, updated_at)
     SELECT m.org_id, 'copy-' || copy.at, m.owner_user_id, m.visibility, copy.content, m.tags,
       copy.terms::bigint[], copy.weights::sparsevec, m.embedding, $4, m.token_vectors, m.token_model,
       m.created_at, m.updated_at
     FROM memories m,
       unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS copy (content, terms, weights, at)`,
    [
      contents,
      indexed.map(({ terms }) => `{${terms[0]?.join(',')}}`),
      indexed.map(({ weights }) => weights),
      MODEL,
    ],
  );
  await stage.db.query('UPDATE memory_scopes SET memories = memories + $1', [count]);
}

async function countLeft({ db }: Stage): Promise<number> {
  const [row] = await db.query<{ left: number }>(
    'SELECT count(*) AS left FROM memories WHERE embedding_model <> $1',
    [MODEL],
  );
  return row?.left ?? 0;
}

async function search(
  origin: string,
  stage: Stage,
  goesOn: (done: number) => boolean | Promise<boolean>,
): Promise<number[]> {
  const asked = questions(500);
  const times: number[] = [];
  // The first ones warm up.
  for (const query of asked.slice(0, 20)) await post(origin, stage, '/memory/search', { query });
  while (await goesOn(times.length)) {
    const query = asked[times.length % asked.length];
    const started = performance.now();
    await post(origin, stage, '/memory/search', { query });
    times.push(performance.now() - started);
  }
  return times;
}

async function post(origin: string, { keys }: Stage, path: string, body: object): Promise<void> {
  const response = await fetch(`${origin}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys[0]}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  await response.json();
}

function show(times: number[]): string {
  return `${median(times).toFixed(1)} and ${percentile(times, 0.95).toFixed(1)} ms`;
}
