import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { startOpenAiChatServer } from '../server/test/harness/outside/openai-chat-server.ts';
import { questions, sentences } from './sentences.ts';
import { setStage, startWorkingAtrium, type Stage } from './stage.ts';

const MEMORIES = 500;
const QUESTIONS = 200;
const WARM_UP = 20;
const TARGET_P50_MS = 100;

const Created = z.object({ data: z.object({ id: z.string(), slug: z.string().optional() }) });
const Listed = z.object({
  data: z.object({
    items: z.array(
      z.object({
        inReplyToMessageId: z.string().nullable(),
        status: z.enum(['COMPLETED', 'FAILED', 'STOPPED']),
        usage: z.object({ latencyMs: z.number() }).nullable(),
      }),
    ),
  }),
});

/** Measures the time from posting a question to listing its reply, with a model that replies at once. */
export async function benchAgents(): Promise<void> {
  const stage = await setStage();
  const model = await startOpenAiChatServer();
  const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-'));
  const file = join(folder, 'models.json');
  const entry = { slug: 'instant', provider: 'openai-compatible', model: 'instant' };
  await writeFile(file, JSON.stringify([{ ...entry, baseURL: model.baseUrl }]));
  const atrium = await startWorkingAtrium(stage, { MODELS_FILE: file });
  try {
    const room = await openRoom(stage, atrium.origin);
    process.stdout.write(
      `agents: from POST until the reply is listed, ${QUESTIONS} questions one at a time, ${MEMORIES} memories (target: p50 under ${TARGET_P50_MS} ms)\n`,
    );
    for (const slug of ['instant', 'recall']) {
      await measure(room, slug, WARM_UP);
      const { took, made } = await measure(room, slug, QUESTIONS);
      process.stdout.write(
        `  @${slug}: ${show(took)}; of which generating the reply: ${show(made)}\n`,
      );
    }
  } finally {
    await atrium.stop();
    await model.close();
    await stage.drop();
    await rm(folder, { recursive: true });
  }
}

interface Room {
  ask(body: string): Promise<string>;
  list(): Promise<z.output<typeof Listed>['data']['items']>;
}

async function openRoom(stage: Stage, origin: string): Promise<Room> {
  const headers = {
    authorization: `Bearer ${stage.keys[0]}`,
    'content-type': 'application/json',
  };
  const send = async (path: string, body?: object): Promise<unknown> => {
    const method = body ? 'POST' : 'GET';
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const create = async (path: string, body: object) => Created.parse(await send(path, body)).data;
  const { slug } = await create('/projects', { name: 'Bench' });
  const { id } = await create(`/spaces/${slug}/sessions`, { name: 'Bench' });
  for (const content of sentences(MEMORIES)) {
    await create('/memory', { content, visibility: 'ORG' });
  }
  const messages = `/spaces/${slug}/sessions/${id}/messages`;
  return {
    ask: async (body) => (await create(messages, { body })).id,
    list: async () => Listed.parse(await send(`${messages}?limit=2`)).data.items,
  };
}

async function measure(room: Room, slug: string, count: number) {
  const took: number[] = [];
  const made: number[] = [];
  for (const question of questions(count)) {
    const startedAt = performance.now();
    const id = await room.ask(`@${slug} ${question}`);
    for (;;) {
      const items = await room.list();
      const reply = items.find(({ inReplyToMessageId }) => inReplyToMessageId === id);
      if (reply) {
        if (reply.status !== 'COMPLETED') throw new Error('a reply failed');
        took.push(performance.now() - startedAt);
        made.push(reply.usage?.latencyMs ?? Number.NaN);
        break;
      }
      await sleep(1);
    }
  }
  return { took, made };
}

function show(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`;
}
