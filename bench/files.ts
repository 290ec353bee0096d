import { randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './load.ts';
import {
  setEmbeddedStage,
  setStage,
  startBareFiles,
  startWorkingAtrium,
  type ServerProcess,
  type Stage,
} from './stage.ts';
import {
  authorized,
  beginFile,
  callApi,
  memoryOf,
  sendBytes,
  transfer,
  untilReady,
  type Uploader,
} from './transfers.ts';

const MEBIBYTE = 1024 ** 2;
const FILE_BYTES = 100 * MEBIBYTE;
const ROUNDS = 15;
const PIECE_BYTES = 16 * MEBIBYTE;
/** Of the bare stream's throughput. */
const AIM = 0.7;
const AT_ONCE = 20;
const MEMORY_AIM_MB = 150;
const LOOK_EVERY_MS = 20;
const RESTS_MS = 3_000;

/**
 * How fast files of 100 MiB go up and down, compared with bare streams of Node to the same disk that are as durable,
 * and how much memory 20 uploads at once take. `npm run bench -- files embedded` or `postgres` chooses the engine.
 */
export async function benchFiles(only = ''): Promise<void> {
  const stages = { embedded: setEmbeddedStage, postgres: setStage };
  for (const [engine, set] of Object.entries(stages)) {
    if (!engine.includes(only)) continue;
    if (engine === 'postgres' && !process.env['TEST_DATABASE_URL']) continue;
    const stage = await set();
    try {
      await benchEngine(engine, stage);
    } finally {
      await stage.drop();
    }
  }
}

async function benchEngine(engine: string, stage: Stage): Promise<void> {
  if (stage.databaseUrl === '') await stage.db.close();
  const atrium = await startWorkingAtrium(stage, { FILES_QUOTA_GB: '1000' });
  const bare = await startBareFiles(stage);
  try {
    const uploader = await makeUploader(atrium, stage);
    const bytes = randomBytes(FILE_BYTES);
    process.stdout.write(
      `files, ${engine}: 100 MiB, ${ROUNDS} alternating rounds, load ${loadavg()[0]?.toFixed(1)}\n`,
    );
    await measureMemory(uploader, atrium, bytes);
    await compare(uploader, bare, bytes);
  } finally {
    await bare.stop();
    await atrium.stop();
  }
}

async function makeUploader({ origin }: ServerProcess, { keys }: Stage): Promise<Uploader> {
  const key = keys[0] ?? '';
  const { id } = await callApi<{ id: string }>({ origin, key }, 'POST', '/projects', {
    name: 'Files',
  });
  return { origin, key, projectId: id };
}

type Way = 'bare up' | 'PUT' | 'PATCH' | 'PATCHes' | 'bare down' | 'download' | 'READY';

async function compare(uploader: Uploader, bare: ServerProcess, bytes: Buffer): Promise<void> {
  const rounds: Record<Way, number>[] = [];
  // The first is not counted: code is compiled, folders are made.
  for (let round = 0; round <= ROUNDS; round++) {
    rounds.push(await measureRound(uploader, `${bare.origin}/${round}`, bytes, round));
  }
  rounds.shift();
  const perSecond = (of: Way) =>
    FILE_BYTES / MEBIBYTE / (median(rounds.map((times) => times[of])) / 1000);
  const show = (name: string, way: Way, below: Way) => {
    const ratio = perSecond(way) / perSecond(below);
    const better = rounds.filter((times) => times[way] * AIM <= times[below]).length;
    report(
      `${name}: ${perSecond(way).toFixed(0)} MiB/s, bare stream ${perSecond(below).toFixed(0)} MiB/s:`,
      ratio,
      `of it (aim: at least ${AIM}, in ${better} of ${rounds.length} rounds)`,
      ratio >= AIM,
    );
  };
  show('PUT', 'PUT', 'bare up');
  show('tus, one PATCH', 'PATCH', 'bare up');
  show(`tus, PATCHes of ${PIECE_BYTES / MEBIBYTE} MiB`, 'PATCHes', 'bare up');
  show('download', 'download', 'bare down');
  const checked = median(rounds.map((times) => times['READY']));
  process.stdout.write(`  from the answer to READY: ${checked.toFixed(0)} ms\n`);
}

/** Each way is first in some rounds: whatever was written before may still keep the disk busy. */
async function measureRound(
  uploader: Uploader,
  bareUrl: string,
  body: Buffer,
  first: number,
): Promise<Record<Way, number>> {
  const times: Partial<Record<Way, number>> = {};
  const timed = async (way: Way, work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    times[way] = performance.now() - startedAt;
  };
  const send = async (way: Way, pieceBytes?: number) => {
    const file = await beginFile(uploader, { name: 'bench.bin', size: body.length });
    await timed(way, () => sendBytes(uploader, file, body, pieceBytes));
    await timed('READY', () => untilReady(uploader, file));
    if (way === 'PUT') {
      const url = `${uploader.origin}/api/files/${file.id}/content`;
      await timed('download', () => download(url, authorized(uploader.key)));
    }
    await callApi(uploader, 'DELETE', `/files/${file.id}`);
  };
  const ways = [
    async () => {
      await timed('bare up', () => transfer({ method: 'PUT', url: bareUrl, body }));
      await timed('bare down', () => download(bareUrl));
      await transfer({ method: 'DELETE', url: bareUrl });
    },
    () => send('PUT'),
    () => send('PATCH', body.length),
    () => send('PATCHes', PIECE_BYTES),
  ];
  for (let at = 0; at < ways.length; at++) await ways[(first + at) % ways.length]?.();
  return times as Record<Way, number>;
}

async function download(url: string, headers: Record<string, string> = {}): Promise<void> {
  const bytes = await transfer({ method: 'GET', url, headers });
  if (bytes !== FILE_BYTES) throw new Error(`${bytes} bytes arrived`);
}

async function measureMemory(
  uploader: Uploader,
  { child }: ServerProcess,
  bytes: Buffer,
): Promise<void> {
  const pid = child.pid ?? 0;
  const before = await restingMemory(pid);
  let most = before;
  const over = new AbortController();
  const watching = (async () => {
    for (; !over.signal.aborted; await sleep(LOOK_EVERY_MS)) {
      most = Math.max(most, await memoryOf(pid));
    }
  })();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, nth) => {
      const file = await beginFile(uploader, { name: `bench-${nth}.bin`, size: bytes.length });
      await sendBytes(uploader, file, bytes);
      await untilReady(uploader, file);
    }),
  );
  over.abort();
  await watching;
  report(
    `${AT_ONCE} uploads at once: memory ${before.toFixed(0)} MB before,`,
    most - before,
    `MB more (aim: at most ${MEMORY_AIM_MB})`,
    most - before <= MEMORY_AIM_MB,
  );
}

/** Once nothing is loaded any more. */
async function restingMemory(pid: number): Promise<number> {
  for (let before = 0; ;) {
    const now = await memoryOf(pid);
    if (Math.abs(now - before) < 1) return now;
    before = now;
    await sleep(RESTS_MS);
  }
}

function report(name: string, value: number, unit: string, isReached: boolean): void {
  if (!isReached) process.exitCode = 1;
  const shown = value < 10 ? value.toFixed(2) : value.toFixed(0);
  process.stdout.write(`  ${name} ${shown} ${unit}${isReached ? '' : ', missed'}\n`);
}
