import { randomUUID } from 'node:crypto';
import { load, median, type LoadRequest, type Measured } from './load.ts';
import { setStage, startAtrium, startBare, type Stage } from './stage.ts';

const SESSIONS = 100;
const ROUNDS = 5;
const SECONDS = 4;
const WARM_UP_SECONDS = 8;
const TARGETS = { plain: 0.55, keyed: 0.75 };
/** Mattermost 11.11 on a similar machine, 32 connections, fsync on. */
const MATTERMOST_POSTS_PER_SECOND = 360;

type Kind = 'bare' | 'plain' | 'keyed';
type Round = Record<Kind, Measured>;

/** Posts messages to a hundred sessions: by a bare handler, without an Idempotency-Key, and with one. */
export async function benchWrites(): Promise<void> {
  const stage = await setStage();
  const sessions = await fillSessions(stage, SESSIONS);
  const bare = await startBare(stage);
  const atrium = await startAtrium(stage);
  try {
    const [setting] = await stage.db.query<{ fsync: string }>('SHOW fsync');
    process.stdout.write(
      `writes: ${ROUNDS} rounds of ${SECONDS} s each, alternating; PostgreSQL fsync=${setting?.fsync}\n`,
    );
    const sides: [Kind, string, () => LoadRequest][] = [
      ['bare', bare.origin, postRequest('', stage, sessions, false)],
      ['plain', atrium.origin, postRequest('/api/spaces/bench', stage, sessions, false)],
      ['keyed', atrium.origin, postRequest('/api/spaces/bench', stage, sessions, true)],
    ];
    // V8 needs about ten thousand requests to optimise the code they run through.
    for (const [, origin, next] of sides) await load(origin, WARM_UP_SECONDS, next);
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const measured: Partial<Round> = {};
      for (const [kind, origin, next] of sides) measured[kind] = await load(origin, SECONDS, next);
      rounds.push(measured as Round);
    }
    report(rounds);
  } finally {
    await atrium.stop();
    await bare.stop();
    await stage.drop();
  }
}

export async function fillSessions({ db, orgId, userId }: Stage, count: number): Promise<string[]> {
  await db.query(
    `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
     VALUES ($1, 'cproject', 'bench', 'Bench', '{}', 'ORG', $2)`,
    [orgId, userId],
  );
  const rows = await db.query<{ id: string }>(
    `INSERT INTO sessions (org_id, id, project_id, name, participant_user_ids, created_by_id)
     SELECT $1, 'c' || lpad(n::text, 24, '0'), 'cproject', 's', '{}', $2 FROM generate_series(1, $3::int) n
     RETURNING id`,
    [orgId, userId, count],
  );
  return rows.map(({ id }) => id);
}

export function postRequest(
  prefix: string,
  { keys }: Pick<Stage, 'keys'>,
  sessions: readonly string[],
  keyed: boolean,
): () => LoadRequest {
  let sent = 0;
  return () => {
    sent++;
    return {
      method: 'POST',
      path: `${prefix}/sessions/${sessions[sent % sessions.length]}/messages`,
      headers: {
        authorization: `Bearer ${keys[sent % keys.length]}`,
        'content-type': 'application/json',
        ...(keyed && { 'idempotency-key': randomUUID() }),
      },
      body: JSON.stringify({ body: `message ${randomUUID()}` }),
    };
  };
}

function report(rounds: Round[]): void {
  for (const kind of ['bare', 'plain', 'keyed'] as const) {
    const perSecond = median(rounds.map((round) => round[kind].perSecond));
    const p99 = median(rounds.map((round) => round[kind].p99));
    process.stdout.write(
      `${kind.padEnd(6)} ${perSecond.toFixed(0)}/s (p99 ${p99} ms), ${(perSecond / MATTERMOST_POSTS_PER_SECOND).toFixed(1)} x Mattermost\n`,
    );
  }
  show('POST without a key / bare INSERT', rounds, 'plain', 'bare');
  show('POST with a key / POST without', rounds, 'keyed', 'plain');
}

function show(title: string, rounds: Round[], above: 'plain' | 'keyed', below: Kind): void {
  const ratios = rounds.map((round) => round[above].perSecond / round[below].perSecond);
  const range = `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`;
  process.stdout.write(
    `${title}: ${median(ratios).toFixed(2)} (${range}; target: ${TARGETS[above]})\n`,
  );
}
