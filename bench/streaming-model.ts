/** Run by bench/streaming.ts in a separate process: a model that writes at a steady pace, and tells when it begins. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScriptedAnswer, SeenRequest } from '../server/test/harness/outside/model-server.ts';
import { startOpenAiChatServer } from '../server/test/harness/outside/openai-chat-server.ts';

export interface Pace {
  tokens: number;
  perSecond: number;
  /** Nobody is answered until this many have asked. */
  together: number;
}

export type ModelNews =
  | { baseUrl: string }
  /** By process.hrtime, which all processes of a machine share. */
  | { question: string; firstTokenAt: string };

/** Every token is different, so that none can be lost or moved unnoticed. */
export function textOf(tokens: number): string {
  return Array.from({ length: tokens }, (_, at) => `${String(at).padStart(4, '0')} `).join('');
}

if (process.send) await serve();

async function serve(): Promise<void> {
  const tell = (news: ModelNews) => void process.send?.(news);
  let pace: Pace = { tokens: 1, perSecond: 1, together: 1 };
  let asked = 0;
  let allAsked = Promise.withResolvers<void>();
  process.on('message', (next: Pace) => {
    pace = next;
    asked = 0;
    allAsked = Promise.withResolvers<void>();
  });

  async function answer({ messages }: SeenRequest): Promise<ScriptedAnswer> {
    const { tokens, perSecond, together } = pace;
    const [, question = ''] =
      /question (\d+)\s*<\/question>/.exec(messages.at(-1)?.content ?? '') ?? [];
    if (++asked >= together) allAsked.resolve();
    await allAsked.promise;
    const everyMs = 1_000 / perSecond;
    const startsAt = performance.now() + Math.random() * everyMs;
    return {
      text: textOf(tokens),
      chunks: tokens,
      async pace(event) {
        // The first event has no text.
        const early = startsAt + (event - 1) * everyMs - performance.now();
        if (early > 0) await sleep(early);
        if (event === 1) tell({ question, firstTokenAt: String(process.hrtime.bigint()) });
      },
    };
  }

  const { baseUrl } = await startOpenAiChatServer({ answer });
  tell({ baseUrl });
}
