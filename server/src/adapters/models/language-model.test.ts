import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModelServer, ScriptedAnswer } from '../../../test/harness/outside/model-server.ts';
import { rawAnswer } from '../../../test/harness/outside/raw-answers.ts';
import {
  askModel,
  expectFailure,
  loadTestModel,
  PROMPT,
  WIRE_FORMATS,
} from '../../../test/harness/stages/model-stage.ts';
import type { GenerateOptions, LanguageModel, ModelFailure } from './model.ts';

const SECRET = 'sk-canary-0123456789';

describe.each(WIRE_FORMATS)('a model of the provider %s', (provider, start) => {
  let server: ModelServer;
  let model: LanguageModel;
  let lines: string[];

  beforeEach(async () => {
    server = await start();
    vi.spyOn(console, 'error');
    lines = [];
    const log = pino({ level: 'debug' }, { write: (line) => void lines.push(line) });
    const entry = { provider, apiKey: SECRET, creditsPer1kTokens: 2 };
    model = await loadTestModel(server, entry, log);
  });

  afterEach(async () => {
    await server.close();
    expect(lines.join('')).not.toContain(SECRET);
    expect(console.error).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  const ask = (answers: ScriptedAnswer[], options?: Partial<GenerateOptions>) =>
    askModel(server, model, answers, options);

  /** Every failure is a ModelFailure and reveals nothing. */
  async function fail(
    answers: ScriptedAnswer[],
    options?: Partial<GenerateOptions>,
  ): Promise<ModelFailure> {
    const error = await expectFailure(ask(answers, options));
    expect(error.cause).toBeUndefined();
    expect(`${error.message} ${JSON.stringify(error)}`).not.toMatch(/sk-|http|127\.0|scripted/);
    return error;
  }

  describe('is asked', () => {
    it('with its name, the key, the instructions, the messages and the token limit', async () => {
      const answer = await ask([{ text: 'Hello.', usage: { inputTokens: 40, outputTokens: 3 } }]);
      expect(answer).toEqual({
        text: 'Hello.',
        inputTokens: 40,
        outputTokens: 3,
        truncated: false,
      });
      const [request] = server.requests;
      expect(request).toMatchObject({
        model: 'ada-1',
        instructions: 'Be brief.',
        messages: [{ role: 'user', content: 'Hi' }],
        tools: [],
        maxOutputTokens: 1000,
        body: { stream: true },
      });
      const { authorization, 'x-api-key': key } = request?.headers ?? {};
      expect(provider === 'anthropic' ? key : authorization).toContain(SECRET);
    });

    it('without empty messages and lone surrogates', async () => {
      server.answerWith(['Hello.']);
      await model.generate(
        {
          instructions: '',
          messages: [
            { role: 'user', content: 'one \ud800\0' },
            { role: 'assistant', content: ' ' },
            { role: 'assistant', content: 'two' },
            { role: 'user', content: 'three' },
          ],
        },
        { maxOutputTokens: 10, signal: AbortSignal.timeout(5000) },
      );
      expect(server.requests[0]?.instructions).toBe('');
      expect(server.requests[0]?.messages.map(({ content }) => content)).toEqual([
        'one \ufffd',
        'two',
        'three',
      ]);
    });

    it('many at once', async () => {
      server.answerWith((_, index) => `Answer ${index}.`);
      const signal = AbortSignal.timeout(20_000);
      const asked = Array.from({ length: 20 }, () =>
        model.generate(PROMPT, { maxOutputTokens: 10, signal }),
      );
      const texts = (await Promise.all(asked)).map(({ text }) => text);
      expect(new Set(texts).size).toBe(20);
    });
  });

  describe('answers', () => {
    it('in 10,000 pieces, some of which are half a character', async () => {
      const text = '🙂a'.repeat(6000);
      const answer = await ask([{ text, chunks: 10_000 }]);
      expect(answer.text === text).toBe(true);
      expect(answer.truncated).toBe(false);
    });

    it('with thoughts, which are not part of the answer', async () => {
      expect((await ask([{ reasoning: 'Let me think.', text: 'Yes.' }])).text).toBe('Yes.');
    });

    it('without a token count: it is estimated', async () => {
      const answer = await ask([{ text: 'twelve bytes', usage: null }]);
      expect(answer).toMatchObject({ inputTokens: 4, outputTokens: 3 });
    });

    it('with an impossible token count: it is estimated', async () => {
      const usage = { inputTokens: -5, outputTokens: 1e300 };
      const answer = await ask([{ text: 'twelve bytes', usage }]);
      expect(answer).toMatchObject({ inputTokens: 4, outputTokens: 3 });
    });

    it('with NUL and lone surrogates, which are removed', async () => {
      const { text } = await ask([{ text: '\n a\0b \ud83d c \ude00 \n' }]);
      expect(text).toBe('ab \ufffd c \ufffd');
    });

    it('with invalid UTF-8', async () => {
      const raw = Buffer.from(rawAnswer(provider, 'a~b')).map((byte) =>
        byte === 0x7e ? 0xff : byte,
      );
      expect((await ask([{ raw }])).text).toBe('a\ufffdb');
    });

    it.each([
      ['1 MB at once', 1],
      ['1 MB in pieces', 100],
    ])('with %s: cut at 20,000 characters, and disconnected', async (_, chunks) => {
      const answer = await ask([{ text: '🙂'.repeat(250_000), chunks, ending: 'hang' }]);
      expect(Array.from(answer.text)).toHaveLength(20_000);
      expect(answer.text).toBe('🙂'.repeat(20_000));
      expect(answer).toMatchObject({ truncated: true, inputTokens: 4, outputTokens: 20_000 });
      await server.hungUp(1);
    });

    it('with exactly 20,000 characters: complete', async () => {
      const answer = await ask([{ text: 'x'.repeat(20_000), chunks: 3 }]);
      expect(answer).toMatchObject({ text: 'x'.repeat(20_000), truncated: false });
    });

    it('up to the token limit: truncated', async () => {
      expect(await ask([{ text: 'So far', finish: 'length' }])).toMatchObject({
        text: 'So far',
        truncated: true,
      });
    });
  });

  describe('fails', () => {
    it.each<[string, ScriptedAnswer, number, string, string?]>([
      ['500 again and again', { status: 500 }, 3, 'failed (500)'],
      ['429 again and again', { status: 429 }, 3, 'no more requests', 'rate_limited'],
      [
        '429 for an hour',
        { status: 429, headers: { 'retry-after': '3600' } },
        1,
        'in 60 minutes',
        'rate_limited',
      ],
      ['401', { status: 401 }, 1, "server's key. Ask the operator of this server"],
      ['403', { status: 403 }, 1, "server's key. Ask the operator of this server"],
      ['404', { status: 404 }, 1, 'does not know the model "ada-1"'],
      ['413', { status: 413 }, 1, 'too long'],
      ['400, too long', { status: 400, errorType: 'context_length_exceeded' }, 1, 'too long'],
      ['400, quoting our key', { status: 400, body: SECRET }, 1, '(400)'],
      [
        'a redirect, which is not followed',
        { status: 307, headers: { location: '?elsewhere' } },
        1,
        'rejected the request (307)',
      ],
      ['no answer but a cut', { cut: true }, 3, 'cannot be reached'],
      ['a cut in mid-answer', { text: 'Half', ending: 'cut' }, 3, 'closed the connection'],
      ['a tidy end in mid-answer', { text: 'Half', ending: 'close' }, 3, 'closed the connection'],
      ['an end before the answer', { ending: 'close' }, 3, 'closed the connection'],
      ['an error in mid-answer', { text: 'Half', ending: 'error' }, 3, 'Try again'],
      ['no body', { raw: '' }, 3, 'closed the connection'],
      ['garbage', { raw: 'garbage'.repeat(150_000) }, 3, 'invalid response'],
      ['garbage as events', { raw: 'data: {nope\n\n'.repeat(1000) }, 3, 'invalid response'],
      ['JSON of another kind', { raw: 'data: [null]\n\n' }, 3, 'invalid response'],
      ['a page', { raw: '<html></html>' }, 3, 'invalid response'],
      ['bytes without end', { flood: true }, 1, 'too long'],
      ['thoughts without end', { reasoning: 'x'.repeat(5e6) }, 1, 'too long'],
      ['nothing', '', 1, 'an empty answer', 'empty_answer'],
      ['white space', ' \n\0 ', 1, 'an empty answer', 'empty_answer'],
      [
        'thoughts alone',
        { reasoning: 'Hm.', finish: 'length' },
        1,
        'used all its tokens',
        'empty_answer',
      ],
      ['a refusal', { text: 'I can', finish: 'refused' }, 1, 'declined', 'refused'],
      [
        'a tool that it was not given',
        { toolCalls: [{ name: 'rm', input: {} }] },
        1,
        'an empty answer',
        'empty_answer',
      ],
    ])('%s', async (_, answer, requests, words, code = 'provider_error') => {
      const endsAt = performance.now() + 120_000;
      const failure = await fail([answer], { endsAt });
      expect(failure.code).toBe(code);
      expect(failure.message).toContain(words);
      expect(failure.message).toContain('"ada');
      expect(server.requests).toHaveLength(requests);
    });

    it('as soon as the connection is refused, after two more attempts', async () => {
      await server.close();
      const failure = await fail(['']);
      expect(failure).toMatchObject({ code: 'provider_error' });
      expect(lines.filter((line) => line.includes('ECONNREFUSED'))).toHaveLength(3);
    });

    it.each<[string, ScriptedAnswer]>([
      ['in silence', { hang: 'silent' }],
      ['after its headers', { hang: 'after-headers' }],
      ['in mid-answer', { text: 'Half', ending: 'hang' }],
    ])('at the deadline if it hangs %s, and is disconnected', async (_, answer) => {
      const deadline = new AbortController();
      const failing = fail([answer], { signal: deadline.signal });
      await server.received(1);
      deadline.abort(new DOMException('late', 'TimeoutError'));
      expect((await failing).code).toBe('timeout');
      await server.hungUp(1);
      expect(server.requests).toHaveLength(1);
    });

    it('with the reason of the abort', async () => {
      const leaving = new AbortController();
      const reason = new Error('the server stops');
      const asked = ask([{ text: 'Half', ending: 'hang' }], { signal: leaving.signal });
      await server.received(1);
      leaving.abort(reason);
      await expect(asked).rejects.toBe(reason);
      await server.hungUp(1);
    });

    it('without a request if it was aborted beforehand', async () => {
      const reason = new Error('too late');
      await expect(ask(['Hello.'], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      expect(server.requests).toHaveLength(0);
    });
  });
});
