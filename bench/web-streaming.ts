import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startOpenAiChatServer } from '../server/test/harness/outside/openai-chat-server.ts';
import { startAtrium, type TestAtrium } from '../web/test/harness/atrium.ts';
import { launch, openBrowser } from '../web/test/harness/browser.ts';
import { FRAME_MS, quantile, watchFrames } from './frames.ts';

const CHARACTERS = 20_000;
const DELTAS = 2_000;
/** Far more than the ten a second that the server sends. */
const DELTAS_PER_SECOND = 200;

/** Answers as models write them, and two in which no block ever ends. */
const ANSWERS: Record<string, string> = {
  'a usual answer': repeat(
    '## A heading\n\nSome **bold** words, `code`, and [a link](https://example.com/).\n\n' +
      '- one point\n- another, with *stress*\n\n```ts\nconst answer: number = 42;\n```\n\n',
  ),
  'one list': repeat('- a point that is made in **some** words, with `code`\n'),
  'one paragraph': repeat('some words with **stress** and `code`, and then some more of them. '),
};

/** Measures frames in Chromium while an answer of 20,000 characters arrives in 2,000 deltas. */
export async function benchStreaming(): Promise<void> {
  const model = await startOpenAiChatServer({ answer: () => new Promise<never>(() => {}) });
  const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-'));
  const entry = { slug: 'ada', provider: 'openai-compatible', model: 'm', baseURL: model.baseUrl };
  await writeFile(
    join(folder, 'models.json'),
    JSON.stringify([{ ...entry, creditsPer1kTokens: 0 }]),
  );
  const atrium = await startAtrium({ MODELS_FILE: join(folder, 'models.json') });
  const browser = await launch();
  try {
    const { page } = await openBrowser(browser, atrium, { person: await atrium.owner() });
    for (const [name, answer] of Object.entries(ANSWERS)) {
      process.stdout.write(`web: ${name}, streamed: ${await stream(atrium, page, answer)}\n`);
    }
  } finally {
    await browser.close();
    await atrium.stop();
    await model.close();
    await rm(folder, { recursive: true });
  }
}

async function stream(
  { client, firstRun }: TestAtrium,
  page: Page,
  answer: string,
): Promise<string> {
  const { slug } = await client.projects.create({ name: `Streaming ${Date.now()}` });
  const { id } = await client.sessions.create(slug, { name: 'Answer' });
  const question = await client.messages.post(slug, id, { body: '@ada go on' });
  await page.goto(`/p/${slug}/s/${id}`);
  await page.getByText('Thinking').waitFor();
  const idle = await watchFrames(page, () => page.waitForTimeout(2_000));
  const frames = await watchFrames(page, async () => {
    // On the channel on which tabs pass events on to each other.
    const channel = `atrium.live.${firstRun.userId}.${firstRun.orgId}`;
    await page.evaluate(sendDeltas(channel, question.id, answer));
    await page.waitForTimeout(100);
  });
  const p95 = quantile(frames, 0.95);
  const late = frames.filter((frame) => frame > 2.5 * FRAME_MS).length;
  return (
    `frame p50 ${quantile(frames, 0.5).toFixed(1)}, p95 ${p95.toFixed(1)},` +
    ` p99 ${quantile(frames, 0.99).toFixed(1)} ms (${(p95 / quantile(idle, 0.95)).toFixed(2)} x idle at p95),` +
    ` ${((100 * late) / frames.length).toFixed(1)} % miss two frames or more`
  );
}

function sendDeltas(channel: string, questionId: string, answer: string): string {
  return `(async () => {
    const channel = new BroadcastChannel(${JSON.stringify(channel)});
    const reply = { questionId: ${JSON.stringify(questionId)}, mention: 'ada' };
    channel.postMessage({ ...reply, type: 'reply.started', seq: 0, text: '' });
    const began = performance.now();
    for (const [seq, text] of ${JSON.stringify(cut(answer))}.entries()) {
      const early = began + seq * ${1_000 / DELTAS_PER_SECOND} - performance.now();
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      channel.postMessage({ ...reply, type: 'reply.delta', seq, text });
    }
    channel.close();
  })()`;
}

function repeat(text: string): string {
  return text.repeat(Math.ceil(CHARACTERS / text.length)).slice(0, CHARACTERS);
}

function cut(answer: string): string[] {
  const size = CHARACTERS / DELTAS;
  return Array.from({ length: DELTAS }, (_, at) => answer.slice(at * size, (at + 1) * size));
}
