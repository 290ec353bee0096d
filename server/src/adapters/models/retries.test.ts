import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelServer, ScriptedAnswer } from '../../../test/harness/outside/model-server.ts';
import {
  askModel,
  expectFailure,
  loadTestModel,
  WIRE_FORMATS,
} from '../../../test/harness/stages/model-stage.ts';
import type { GenerateOptions, LanguageModel } from './model.ts';
import { RETRY_TIMINGS } from './retries.ts';

describe.each(WIRE_FORMATS)(
  'a provider with the wire format of %s is retried',
  (provider, start) => {
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
      model = await loadTestModel(server, { provider }, log, timings);
    });
    afterEach(() => server.close());

    const ask = (answers: ScriptedAnswer[], options?: Partial<GenerateOptions>) =>
      askModel(server, model, answers, options);

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
      const failure = await expectFailure(ask([refusal], { endsAt: performance.now() + 59_000 }));
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
      await expectFailure(ask([{ raw: `event: error\ndata: ${JSON.stringify(error)}\n\n` }]));
      expect(server.requests).toHaveLength(1);
    });
  },
);
