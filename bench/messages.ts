import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { load, median, type LoadRequest, type Measured } from './load.ts';
import { setStage, startAtrium, startBare, type Stage } from './stage.ts';

const SESSIONS = 1000;
const PER_SESSION = 1000;
const SECONDS = 4;
const ROUNDS = 3;
/** Mattermost 11.11 on a similar machine, one channel, 32 connections. Targets: 3 and 10 times this. */
const MATTERMOST = { postsPerSecond: 400, listsPerSecond: 155 };

/** Measures posting and listing with a million messages in a thousand sessions. */
export async function benchMessages(): Promise<void> {
  const stage = await setStage();
  const sessions = await fillSessions(stage, { sessions: SESSIONS, perSession: PER_SESSION });
  const bare = await startBare(stage);
  const atrium = await startAtrium(stage);
  try {
    const [setting] = await stage.db.query<{ fsync: string }>('SHOW fsync');
    process.stdout.write(
      `messages: ${SESSIONS} sessions with ${PER_SESSION} messages each; PostgreSQL fsync=${setting?.fsync}; pg_test_fsync: ${fsyncFigure()}\n`,
    );
    await benchLists(stage, atrium.origin, sessions[0] ?? '');
    for (const [title, count] of [
      ['one session', 1],
      ['100 sessions', 100],
    ] as const) {
      const chosen = sessions.slice(0, count);
      await benchPosts(`${title}, no key`, stage, bare.origin, atrium.origin, chosen, false);
      await benchPosts(`${title}, with a key`, stage, bare.origin, atrium.origin, chosen, true);
    }
  } finally {
    await atrium.stop();
    await bare.stop();
    await stage.drop();
  }
}

/** A Project `bench` with sessions full of messages. Returns the sessions' ids. */
export async function fillSessions(
  { db, orgId, userId }: Stage,
  { sessions, perSession }: { sessions: number; perSession: number },
): Promise<string[]> {
  await db.query(
    `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
     VALUES ($1, 'cproject', 'bench', 'Bench', '{}', 'ORG', $2)`,
    [orgId, userId],
  );
  await db.query(
    `INSERT INTO sessions (org_id, id, project_id, name, participant_user_ids, created_by_id, last_position)
     SELECT $1, 'c' || lpad(n::text, 24, '0'), 'cproject', 's', '{}', $2, $3::int FROM generate_series(1, $4::int) n`,
    [orgId, userId, perSession, sessions],
  );
  for (let from = 1; from <= perSession; from += 100) {
    await db.query(
      `INSERT INTO messages (org_id, id, session_id, position, author_kind, author_user_id, body, mentions,
         status, citations, tool_calls, created_at)
       SELECT $1, 'm' || lpad((p * 10000 + n)::text, 24, '0'), 'c' || lpad(n::text, 24, '0'), p, 'USER', $2,
         repeat('some words of a message ', 8), '{}', 'COMPLETED', '[]', '[]', now()
       FROM generate_series(1, $3::int) n, generate_series($4::int, $4::int + 99) p`,
      [orgId, userId, sessions, from],
    );
  }
  await db.query('VACUUM ANALYZE');
  const rows = await db.query<{ id: string }>(
    'SELECT id FROM sessions WHERE org_id = $1 ORDER BY id',
    [orgId],
  );
  return rows.map(({ id }) => id);
}

async function benchLists({ keys, db }: Stage, origin: string, sessionId: string): Promise<void> {
  const path = `/api/spaces/bench/sessions/${sessionId}/messages?limit=50`;
  const authorized = (suffix: string) => {
    let sent = 0;
    return (): LoadRequest => ({
      method: 'GET',
      path: path + suffix,
      headers: { authorization: `Bearer ${keys[sent++ % keys.length]}` },
    });
  };
  const first = await measure(origin, authorized(''));
  process.stdout.write(
    `list first page: ${show(first)}; ${(first.perSecond / MATTERMOST.listsPerSecond).toFixed(1)} x Mattermost (target: 10)\n`,
  );
  for (const depth of [0.5, 0.95]) {
    const [cursor] = await db.query<{ id: string }>(
      'SELECT id FROM messages WHERE session_id = $1 AND position = $2',
      [sessionId, Math.floor(PER_SESSION * (1 - depth))],
    );
    const again = await measure(origin, authorized(''));
    const deep = await measure(origin, authorized(`&before=${cursor?.id}`));
    process.stdout.write(
      `list at ${depth * 100} % depth: ${show(deep)}; ${(again.perSecond / deep.perSecond).toFixed(2)} x the time of the first page (target: under 1.2)\n`,
    );
  }
}

async function benchPosts(
  title: string,
  stage: Stage,
  bareOrigin: string,
  origin: string,
  sessions: string[],
  keyed: boolean,
): Promise<void> {
  let sent = 0;
  const next = (prefix: string) => (): LoadRequest => {
    sent++;
    return {
      method: 'POST',
      path: `${prefix}/sessions/${sessions[sent % sessions.length]}/messages`,
      headers: {
        authorization: `Bearer ${stage.keys[sent % stage.keys.length]}`,
        'content-type': 'application/json',
        ...(keyed && { 'idempotency-key': randomUUID() }),
      },
      body: JSON.stringify({ body: `message ${randomUUID()}` }),
    };
  };
  await load(bareOrigin, 3, next(''));
  await load(origin, 12, next('/api/spaces/bench'));
  const rounds: { bare: Measured; ours: Measured }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      bare: await load(bareOrigin, SECONDS, next('')),
      ours: await load(origin, SECONDS, next('/api/spaces/bench')),
    });
  }
  const ratio = median(rounds.map(({ bare, ours }) => ours.perSecond / bare.perSecond));
  const ours = middle(rounds.map((round) => round.ours));
  process.stdout.write(
    `post, ${title}: bare ${show(middle(rounds.map((round) => round.bare)))}  atrium ${show(ours)}  ratio ${ratio.toFixed(2)} (target: 0.5); ${(ours.perSecond / MATTERMOST.postsPerSecond).toFixed(1)} x Mattermost (target: 3)\n`,
  );
}

async function measure(origin: string, next: () => LoadRequest): Promise<Measured> {
  await load(origin, 6, next);
  return load(origin, SECONDS, next);
}

function middle(measured: Measured[]): Measured {
  const perSecond = median(measured.map((one) => one.perSecond));
  return measured.find((one) => one.perSecond === perSecond) ?? { perSecond, p50: 0, p99: 0 };
}

function show({ perSecond, p50, p99 }: Measured): string {
  return `${perSecond.toFixed(0)}/s (p50 ${p50} ms, p99 ${p99} ms)`;
}

/** The time of one flush to this disk: with fsync on, no commit is faster. */
function fsyncFigure(): string {
  const root = '/usr/lib/postgresql';
  const version = readdirSync(root).toSorted((a, b) => Number(b) - Number(a))[0] ?? '';
  const file = `/tmp/atrium-fsync-${process.pid}`;
  const { stdout } = spawnSync(`${root}/${version}/bin/pg_test_fsync`, ['-s', '1', '-f', file], {
    encoding: 'utf8',
  });
  return (
    /fdatasync\s+([\d.]+ ops\/sec\s+\d+ usecs\/op)/
      .exec(stdout ?? '')?.[1]
      ?.replaceAll(/\s+/g, ' ') ?? 'not found'
  );
}
