import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startAnthropicServer } from '../../../test/harness/anthropic-server.ts';
import type { ModelServer, ScriptedAnswer } from '../../../test/harness/model-server.ts';
import { startOpenAiChatServer } from '../../../test/harness/openai-chat-server.ts';
import { createModelRegistry } from './create-model-registry.ts';
import { ModelFailure, type GenerateOptions, type Generated, type LanguageModel } from './model.ts';
import { RETRY_TIMINGS } from './retries.ts';

const PROMPT = { instructions: 'Be brief.', messages: [{ role: 'user' as const, content: 'Hi' }] };

const FORMATS = [
  ['openai', startOpenAiChatServer],
  ['anthropic', startAnthropicServer],
] as const;

describe.each(FORMATS)('a provider with the wire format of %s is retried', (provider, start) => {
  let server: ModelServer;
  let model: LanguageModel;
  let lines: string[];
  let pauses: number[];
  let onPause: (() => void) | undefined;

  beforeEach(async () => {
    server = await start();
    lines = [];
    pauses = [];
    onPause = undefined;
    const log = pino({ level: 'debug' }, { write: (line) => void lines.push(line) });
    const { baseUrl } = server;
    const config = { slug: 'ada', provider, model: 'ada-1', baseUrl, creditsPer1kTokens: 0 };
    const timings = {
      ...RETRY_TIMINGS,
      // The wait ends only when the test ends it.
      pause(ms: number, signal: AbortSignal) {
        pauses.push(ms);
        const paused = RETRY_TIMINGS.pause(onPause ? ms : 0, signal);
        onPause?.();
        return paused;
      },
    };
    model = (await createModelRegistry([config], log, timings).load('ada')) as LanguageModel;
  });
  afterEach(() => server.close());

  function ask(
    answers: ScriptedAnswer[],
    options: Partial<GenerateOptions> = {},
  ): Promise<Generated> {
    server.answerWith(answers);
    const signal = AbortSignal.timeout(20_000);
    return model.generate(PROMPT, { maxOutputTokens: 1000, signal, ...options });
  }

  async function fail(
    answers: ScriptedAnswer[],
    options?: Partial<GenerateOptions>,
  ): Promise<ModelFailure> {
    const error = await ask(answers, options).catch((reason: unknown) => reason);
    if (!(error instanceof ModelFailure)) throw new Error('expected a ModelFailure');
    return error;
  }

  it('429: after the time it asks for', async () => {
    const answer = await ask([{ status: 429, headers: { 'retry-after': '60' } }, 'Hello.']);
    expect(answer.text).toBe('Hello.');
    expect(pauses).toEqual([60_000]);
    expect(server.requests).toHaveLength(2);
    expect(lines.join('')).toContain('"status":429');
  });

  it('429: after the date it asks for', async () => {
    const headers = { 'retry-after': new Date(Date.now() - 1000).toUTCString() };
    expect((await ask([{ status: 429, headers }, 'Hello.'])).text).toBe('Hello.');
  });

  it.each<[string, ScriptedAnswer]>([
    ['500', { status: 500 }],
    ['503 with a page', { status: 503, body: '<html>'.repeat(50_000) }],
    ['529', { status: 529 }],
    ['408', { status: 408 }],
    ['a broken connection', { cut: true }],
    ['a cut in mid-answer', { text: 'Half', ending: 'cut' }],
    ['a tidy end in mid-answer', { text: 'Half', ending: 'close' }],
    ['an error in mid-answer', { text: 'Half', ending: 'error' }],
    ['no body', { raw: '' }],
  ])('%s, twice: the third attempt succeeds', async (_, failure) => {
    const usage = { inputTokens: 40, outputTokens: 3 };
    expect(await ask([failure, failure, { text: 'Hello.', usage }])).toEqual({
      text: 'Hello.',
      truncated: false,
      ...usage,
    });
    expect(server.requests).toHaveLength(3);
  });

  it('after a growing random pause, within limits', async () => {
    await ask([{ status: 500 }, { status: 500 }, 'Hello.']);
    const [first = 0, second = 0] = pauses;
    expect(first).toBeGreaterThanOrEqual(500);
    expect(first).toBeLessThanOrEqual(1000);
    expect(second).toBeGreaterThanOrEqual(1000);
    expect(second).toBeLessThanOrEqual(2000);
  });

  it('429: only if the requested delay fits the deadline', async () => {
    const refusal = { status: 429, headers: { 'retry-after': '60' } };
    const endsAt = performance.now() + 90_000;
    expect((await ask([refusal, 'Hello.'], { endsAt })).text).toBe('Hello.');
    const failure = await fail([refusal], { endsAt: performance.now() + 59_000 });
    expect(failure.code).toBe('rate_limited');
    expect(failure.message).toContain('Try again in 60 seconds');
    expect(server.requests).toHaveLength(3);
    expect(pauses).toHaveLength(1);
  });

  it('not if the caller aborts during the pause: it fails with that reason', async () => {
    const leaving = new AbortController();
    const reason = new Error('the worker drains');
    onPause = () => leaving.abort(reason);
    const refusal = { status: 429, headers: { 'retry-after': '60' } };
    await expect(ask([refusal], { signal: leaving.signal })).rejects.toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  it('not if it reports in the middle of an answer that the request is invalid', async () => {
    const type = 'invalid_request_error';
    const error = { type: 'error', error: { type, message: 'scripted' } };
    await fail([{ raw: `event: error\ndata: ${JSON.stringify(error)}\n\n` }]);
    expect(server.requests).toHaveLength(1);
  });
});
