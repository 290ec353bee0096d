import { randomUUID } from 'node:crypto';
import { getProjectRequest, load, median, type LoadRequest, type Measured } from './load.ts';
import { fillSessions } from './messages.ts';
import { makeProjects } from './requests.ts';
import { setStage, startAtrium, startDirectLists, type Stage } from './stage.ts';

const ROUNDS = 3;
const SECONDS = 3;
const WARM_UP_SECONDS = 4;
/** Mattermost 11.11 on a similar machine, one channel, 32 connections. */
const MATTERMOST_LISTS_PER_SECOND = 155;

/**
 * What a poll costs: 50 messages that nobody has changed, compared with one Project; the same while one
 * request in ten posts, compared with a server that reads each page; and 304 compared with 200.
 */
export async function benchLists(): Promise<void> {
  const stage = await setStage();
  const [sessionId = ''] = await fillSessions(stage, { sessions: 20, perSession: 1000 });
  const atrium = await startAtrium(stage);
  const direct = await startDirectLists(stage);
  try {
    process.stdout.write(`lists: ${ROUNDS} rounds of ${SECONDS} s each, alternating\n`);
    const list = listRequest(stage, sessionId);
    const etag = await readTag(atrium.origin, list());
    const project = getProjectRequest(
      '/api/projects',
      stage.keys,
      await makeProjects(atrium.origin, stage.keys, 1),
    );
    const tagged = () => {
      const request = list();
      return { ...request, headers: { ...request.headers, 'if-none-match': etag } };
    };
    const unchanged: Side = [atrium.origin, list];
    const lists = await compare('unchanged list / GET a Project', 0.8, unchanged, [
      atrium.origin,
      project,
    ]);
    await compare('304 / 200', 1.2, [atrium.origin, tagged], unchanged);
    const mixed = onePostInTen(stage, sessionId);
    await compare(
      'list with one post in ten / the same, reading each page',
      2,
      [atrium.origin, mixed],
      [direct.origin, mixed],
    );
    process.stdout.write(
      `unchanged list: ${(lists / MATTERMOST_LISTS_PER_SECOND).toFixed(1)} x Mattermost (target: 10)\n`,
    );
  } finally {
    await atrium.stop();
    await direct.stop();
    await stage.drop();
  }
}

export type Side = [origin: string, next: () => LoadRequest];

/** Prints the ratio of the first to the second, and returns the first's requests per second. */
export async function compare(
  title: string,
  target: number,
  first: Side,
  second: Side,
): Promise<number> {
  await load(first[0], WARM_UP_SECONDS, first[1]);
  await load(second[0], WARM_UP_SECONDS, second[1]);
  const rounds: { first: Measured; second: Measured }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      first: await load(first[0], SECONDS, first[1]),
      second: await load(second[0], SECONDS, second[1]),
    });
  }
  const ratios = rounds.map((round) => round.first.perSecond / round.second.perSecond);
  const [a, b] = (['first', 'second'] as const).map((side) =>
    median(rounds.map((round) => round[side].perSecond)),
  ) as [number, number];
  process.stdout.write(
    `${title}: ${a.toFixed(0)}/s and ${b.toFixed(0)}/s, ratio ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}; target: ${target})\n`,
  );
  return a;
}

function listRequest({ keys }: Stage, sessionId: string): () => LoadRequest {
  let sent = 0;
  return () => ({
    method: 'GET',
    path: `/api/spaces/bench/sessions/${sessionId}/messages?limit=50`,
    headers: { authorization: `Bearer ${keys[sent++ % keys.length]}` },
  });
}

function onePostInTen(stage: Stage, sessionId: string): () => LoadRequest {
  const list = listRequest(stage, sessionId);
  let sent = 0;
  return () => {
    const request = list();
    if (++sent % 10 !== 0) return request;
    return {
      method: 'POST',
      path: request.path.replace(/\?.*/, ''),
      headers: { ...request.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ body: `message ${randomUUID()} ${'some words '.repeat(16)}` }),
    };
  };
}

async function readTag(origin: string, { path, headers = {} }: LoadRequest): Promise<string> {
  const response = await fetch(origin + path, { headers });
  const etag = response.headers.get('etag');
  if (etag === null) throw new Error(`no ETag in the response: ${await response.text()}`);
  return etag;
}
