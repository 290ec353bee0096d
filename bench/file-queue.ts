import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pdfOf } from '../server/test/harness/stages/document-stage.ts';
import { percentile } from './load.ts';
import { clientOf, type Room } from './reply-viewer.ts';
import { sentences } from './sentences.ts';
import { setEmbeddedStage, setStage, startWorkingAtrium, type Stage } from './stage.ts';
import { startModel } from './streaming.ts';
import { beginFile, callApi, sendBytes, type Uploader } from './transfers.ts';

const FILES = 1_000;
const UPLOADERS = 8;
const PAGES = 5;
const TIMES = 20;
const PAUSE_MS = 100;
const AIM_MS = 50;
const PATIENCE_MS = 60_000;

type Noticed = Record<'hint' | 'reply' | 'mail', number[]>;

/**
 * How long a hint, a reply and a mail take while nothing else happens, and while 1,000 PDFs of the same organisation
 * are waiting to be checked and read. `npm run bench -- file-queue embedded` or `postgres` chooses the engine.
 */
export async function benchFileQueue(only = ''): Promise<void> {
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
  const model = await startModel();
  model.setPace({ tokens: 1, perSecond: 1_000, together: 1 });
  const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-'));
  const models = join(folder, 'models.json');
  const entry = { slug: 'ada', provider: 'openai-compatible', model: 'ada', creditsPer1kTokens: 0 };
  await writeFile(models, JSON.stringify([{ ...entry, baseURL: model.baseUrl }]));
  const atrium = await startWorkingAtrium(stage, { MODELS_FILE: models });
  const { origin } = atrium;
  const key = stage.keys[0] ?? '';
  try {
    const client = clientOf({ origin, key });
    const { id: projectId, slug } = await client.projects.create({ name: 'Queue' });
    const { id: sessionId } = await client.sessions.create(slug, { name: 'Queue' });
    const room = { origin, key, slug, sessionId };
    const mails = { folder: join(stage.dataDir, 'mail'), orgId: stage.orgId };
    await measure(room, mails, 3);
    const idle = await measure(room, mails, TIMES);
    await fillQueue({ origin, key, projectId });
    const before = await countWaiting({ origin, key, projectId });
    const busy = await measure(room, mails, TIMES);
    const after = await countWaiting({ origin, key, projectId });
    process.stdout.write(
      `file-queue, ${engine}: ${before} of ${FILES} files not read at first, ${after} in the end; load ${loadavg()[0]?.toFixed(1)}\n`,
    );
    if (after === 0) throw new Error('the queue was empty before everything was measured');
    for (const what of ['hint', 'reply', 'mail'] as const) show(what, idle[what], busy[what]);
  } finally {
    // Not in an orderly way: it would finish what it reads.
    atrium.child.kill('SIGKILL');
    model.stop();
    await rm(folder, { recursive: true });
  }
}

async function fillQueue(uploader: Uploader): Promise<void> {
  let next = 0;
  const upload = async () => {
    while (next < FILES) {
      const pages = Array.from({ length: PAGES }, () => sentences(20).join('\n'));
      const bytes = pdfOf(pages);
      const name = `bench-${next++}.pdf`;
      await sendBytes(uploader, await beginFile(uploader, { name, size: bytes.length }), bytes);
    }
  };
  await Promise.all(Array.from({ length: UPLOADERS }, upload));
}

async function countWaiting({ origin, key, projectId }: Uploader): Promise<number> {
  let waiting = 0;
  for (let page = 1; page <= FILES / 100; page++) {
    const path = `/projects/${projectId}/files?limit=100&page=${page}`;
    const { items } = await callApi<{ items: { status: string; text: string }[] }>(
      { origin, key },
      'GET',
      path,
    );
    const left = items.filter(({ status, text }) => status !== 'READY' || text === 'PENDING');
    waiting += left.length;
  }
  return waiting;
}

/** One after the other, so that they don't wait for each other. */
async function measure(
  room: Room,
  mails: { folder: string; orgId: string },
  times: number,
): Promise<Noticed> {
  const noticed: Noticed = { hint: [], reply: [], mail: [] };
  const client = clientOf(room);
  const stopping = new AbortController();
  const seen = new Map<string, number>();
  const events = client.messages.stream(room.slug, room.sessionId, { signal: stopping.signal });
  await events.next();
  const reading = (async () => {
    for await (const event of events) {
      const at = performance.now();
      if (event.type === 'message.created') seen.set(`hint ${event.messageId}`, at);
      if (event.type === 'reply.ended') seen.set(`reply ${event.questionId}`, at);
    }
  })().catch(() => {});
  const sent = async (body: string, what: 'hint' | 'reply') => {
    const startedAt = performance.now();
    const { id } = await client.messages.post(room.slug, room.sessionId, { body });
    await until(() => seen.has(`${what} ${id}`), what);
    noticed[what].push((seen.get(`${what} ${id}`) ?? 0) - startedAt);
  };
  for (let time = 0; time < times; time++) {
    await sent('A note.', 'hint');
    await sent(`@ada question ${time}`, 'reply');
    const before = await countMails(mails.folder);
    const startedAt = performance.now();
    const email = `${crypto.randomUUID()}@example.com`;
    await callApi(room, 'POST', `/org/${mails.orgId}/invitations`, { email, role: 'MEMBER' });
    await until(async () => (await countMails(mails.folder)) > before, 'a mail');
    noticed.mail.push(performance.now() - startedAt);
    await sleep(PAUSE_MS);
  }
  stopping.abort();
  await reading;
  return noticed;
}

async function countMails(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.eml')).length;
}

async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await isSo()); await sleep(1)) {
    if (performance.now() > end) throw new Error(`${what}: did not come about`);
  }
}

function show(what: string, idle: readonly number[], busy: readonly number[]): void {
  const at = (times: readonly number[], share: number) => percentile(times, share);
  const above = at(busy, 0.5) - at(idle, 0.5);
  const times = (of: readonly number[]) =>
    `p50 ${at(of, 0.5).toFixed(0)}, p95 ${at(of, 0.95).toFixed(0)} ms`;
  const isOver = above > AIM_MS;
  if (isOver) process.exitCode = 1;
  process.stdout.write(
    `  ${what}: ${times(idle)}; beside the queue ${times(busy)}; median ${above.toFixed(0)} ms longer (aim: at most ${AIM_MS}${isOver ? ', missed' : ''})\n`,
  );
}
