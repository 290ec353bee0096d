import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelServer, ScriptedAnswer } from '../../../test/harness/outside/model-server.ts';
import { brokenCall } from '../../../test/harness/outside/raw-answers.ts';
import {
  askModel,
  loadTestModel,
  PROMPT,
  WIRE_FORMATS,
} from '../../../test/harness/stages/model-stage.ts';
import { NotCovered, type GenerateOptions, type LanguageModel, type Tool } from './model.ts';

const SCHEMA = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };

describe.each(WIRE_FORMATS)('tools over the wire format of %s', (provider, start) => {
  let server: ModelServer;
  let model: LanguageModel;
  let inputs: unknown[];

  beforeEach(async () => {
    inputs = [];
    server = await start();
    model = await loadTestModel(server, { provider }, pino({ level: 'silent' }));
  });
  afterEach(() => server.close());

  const find: Tool = {
    name: 'wiki-Find_1',
    description: 'Finds things.',
    inputSchema: SCHEMA,
    run: async (input) => {
      inputs.push(input);
      return `found ${JSON.stringify(input)}`;
    },
  };
  const call = (q: string) => ({ name: find.name, input: { q } });

  const ask = (answers: ScriptedAnswer[], options: Partial<GenerateOptions> = {}) =>
    askModel(server, model, answers, { tools: [find], ...options });

  it('are offered unchanged and run, and their results are sent back', async () => {
    const answer = await ask([{ text: 'Let me look.', toolCalls: [call('a')] }, 'It is a.']);
    expect(answer).toEqual({
      text: 'It is a.',
      inputTokens: 22,
      outputTokens: 14,
      truncated: false,
    });
    expect(inputs).toEqual([{ q: 'a' }]);
    expect(server.requests[0]?.tools).toEqual(['wiki-Find_1']);
    expect(JSON.stringify(server.requests[0]?.body)).toContain(JSON.stringify(SCHEMA));
    expect(server.requests[1]?.messages.at(-1)).toEqual({
      role: 'tool',
      content: 'found {"q":"a"}',
    });
  });

  it('that fail or do not exist: the model is told, and answers', async () => {
    const broken: Tool = {
      ...find,
      name: 'broken',
      run: async () => {
        throw new Error('the wiki is closed');
      },
    };
    const calls = [
      { name: 'broken', input: {} },
      { name: 'rm', input: {} },
    ];
    const answer = await ask([{ toolCalls: calls }, 'Sorry.'], { tools: [find, broken] });
    expect(answer.text).toBe('Sorry.');
    const told = server.requests[1]?.messages.filter(({ role }) => role === 'tool');
    expect(told?.map(({ content }) => content).join()).toMatch(/the wiki is closed.*'rm'/s);
    expect(inputs).toEqual([]);
  });

  it('run up to a limit in all, then the model has to answer without them', async () => {
    const answer = await ask(
      [{ toolCalls: [call('a')] }, { toolCalls: [call('b'), call('c'), call('d')] }, 'Enough.'],
      { maxToolCalls: 3 },
    );
    expect(answer.text).toBe('Enough.');
    expect(inputs).toEqual([{ q: 'a' }, { q: 'b' }, { q: 'c' }]);
    expect(server.requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'auto', 'none']);
  });

  it('a model that never stops calling them: ended, with what it said or as empty', async () => {
    const failing = ask([{ toolCalls: [call('a')] }], { maxToolCalls: 2 });
    await expect(failing).rejects.toMatchObject({ code: 'empty_answer' });
    expect(inputs).toHaveLength(2);
    expect(server.requests).toHaveLength(3);
    const talking = await ask([{ text: 'It is a.', toolCalls: [call('a')] }], { maxToolCalls: 2 });
    expect(talking.text).toBe('It is a.');
    expect(server.requests).toHaveLength(6);
  });

  it('a model that keeps calling unknown tools: ended as well', async () => {
    const failing = ask([{ toolCalls: [{ name: 'rm', input: {} }] }], { maxToolCalls: 2 });
    await expect(failing).rejects.toMatchObject({ code: 'empty_answer' });
    expect(server.requests).toHaveLength(3);
  });

  it('share the token limit with the answer', async () => {
    const usage = { inputTokens: 10, outputTokens: 400 };
    await ask([
      { toolCalls: [call('a')], usage },
      { toolCalls: [call('b')], usage },
      { text: 'Done.', usage: { inputTokens: 10, outputTokens: 100 } },
    ]);
    const bounds = server.requests.map(({ maxOutputTokens }) => maxOutputTokens);
    expect(bounds).toEqual([1000, 600, 200]);
    expect(server.requests.at(-1)?.toolChoice).toBe('none');
  });

  it('without token counts: each step counts what it was sent', async () => {
    const answer = await ask([
      { toolCalls: [call('a')], usage: null },
      { text: 'Done.', usage: null },
    ]);
    const [first, second] = server.requests.map(({ body }) => JSON.stringify(body).length / 4);
    const sent = (first ?? 0) + (second ?? 0);
    expect(answer.inputTokens).toBeGreaterThan(20);
    expect(answer.inputTokens).toBeLessThan(sent);
    expect(answer.outputTokens).toBeGreaterThan(4);
  });

  it('receive and return text without NUL and lone surrogates', async () => {
    const input = { 'q\0': ['\ud800', { n: 1, no: null, is: true }] };
    const tool: Tool = {
      ...find,
      run: async (given) => {
        inputs.push(given);
        return 'a\0\udc00';
      },
    };
    await ask([{ toolCalls: [{ name: find.name, input }] }, 'Done.'], { tools: [tool] });
    expect(inputs).toEqual([{ q: ['\ufffd', { n: 1, no: null, is: true }] }]);
    expect(server.requests[1]?.messages.at(-1)?.content).toBe('a\ufffd');
  });

  it('whose input is not JSON: the model is told, and nothing runs', async () => {
    const answer = await ask([{ raw: brokenCall(provider, find.name) }, 'Sorry.']);
    expect(answer.text).toBe('Sorry.');
    expect(inputs).toEqual([]);
  });

  it('that hang and ignore the signal: abandoned at the deadline', async () => {
    const { promise: started, resolve } = Promise.withResolvers<AbortSignal>();
    const hanging: Tool = {
      ...find,
      run: (_, signal) => {
        resolve(signal);
        return new Promise(() => {});
      },
    };
    const deadline = new AbortController();
    const { signal } = deadline;
    const asked = ask([{ toolCalls: [call('a')] }], { tools: [hanging], signal });
    const given = await started;
    deadline.abort(new DOMException('late', 'TimeoutError'));
    await expect(asked).rejects.toMatchObject({ code: 'timeout' });
    expect(given.aborted).toBe(true);
  });

  it('do not run for an answer that was cut off', async () => {
    const asked = ask([{ toolCalls: [call('a')], ending: 'cut' }]);
    await expect(asked).rejects.toMatchObject({ code: 'provider_error' });
    expect(inputs).toEqual([]);
    expect(server.requests).toHaveLength(3);
  });

  it('do not run again if a later step is cut off: only that step is repeated', async () => {
    const answer = await ask([
      { toolCalls: [call('a')] },
      { text: 'Hm', toolCalls: [call('b')], ending: 'cut' },
      { status: 503 },
      { toolCalls: [call('b')] },
      { text: 'It', ending: 'error' },
      'It is b.',
    ]);
    expect(answer).toMatchObject({ text: 'It is b.', inputTokens: 33, outputTokens: 21 });
    expect(inputs).toEqual([{ q: 'a' }, { q: 'b' }]);
    const [, cut, refused, again] = server.requests;
    for (const repeated of [refused, again]) expect(repeated?.body).toEqual(cut?.body);
  });

  describe('and their cost', () => {
    /** Covers up to a limit, and records each request. */
    function coverUpTo(bound: number) {
      const asked: number[] = [];
      return {
        asked,
        cover: (mostTokens: number) => {
          asked.push(mostTokens);
          return mostTokens <= bound;
        },
      };
    }
    /** Counts one token per byte, like the least efficient tokenizer. */
    const bytesOf = (index: number) => {
      const { messages = [], instructions = '', body } = server.requests[index] ?? {};
      const said = [instructions, ...messages.map(({ content }) => content)].join('');
      return Buffer.byteLength(said) + Buffer.byteLength(JSON.stringify(body?.['tools']));
    };
    const long: Tool = { ...find, run: async () => '𝕏'.repeat(5_000) };

    it('is covered before each step: tokens used, the most this step can use, and an answer after it', async () => {
      const { cover, asked } = coverUpTo(Infinity);
      const usage = { inputTokens: 300, outputTokens: 40 };
      server.answerWith([
        { toolCalls: [call('a')], usage },
        { toolCalls: [call('b')], usage },
        { text: 'Done.', usage },
      ]);
      const signal = AbortSignal.timeout(10_000);
      const options = { maxOutputTokens: 1000, signal, tools: [long], maxToolCalls: 2, cover };
      await model.generate({ ...PROMPT, instructions: '\u{1f41f}'.repeat(500) }, options);
      expect(asked).toHaveLength(3);
      const [first = 0, second = 0, third = 0] = asked;
      expect(first).toBeGreaterThanOrEqual(2 * (bytesOf(0) + 1000));
      expect(second).toBeGreaterThanOrEqual(340 + 2 * (bytesOf(1) + 960));
      // The last one has no answer after it.
      expect(third).toBeGreaterThanOrEqual(680 + bytesOf(2) + 920);
      expect(third).toBeLessThan(680 + 2 * bytesOf(2));
    });

    it('is covered once if a step is repeated', async () => {
      const { cover, asked } = coverUpTo(Infinity);
      await ask([{ status: 500 }, { text: 'Half', ending: 'cut' }, 'Done.'], { cover });
      expect(server.requests).toHaveLength(3);
      expect(asked).toHaveLength(1);
    });

    it('not covered at the start: the model is not asked', async () => {
      const { cover } = coverUpTo(100);
      await expect(ask(['Hello.'], { cover })).rejects.toBeInstanceOf(NotCovered);
      await expect(ask(['Hello.'], { cover, tools: [] })).rejects.toBeInstanceOf(NotCovered);
      expect(server.requests).toEqual([]);
    });

    it('not covered for another round: the model answers with what it has', async () => {
      const medium: Tool = { ...find, run: async () => 'x'.repeat(5_000) };
      const usage = { inputTokens: 100, outputTokens: 10 };
      const { cover, asked } = coverUpTo(10_000);
      const answer = await ask(
        [
          { toolCalls: [call('a')], usage },
          { text: 'Enough.', usage },
        ],
        {
          cover,
          tools: [medium],
        },
      );
      expect(answer).toMatchObject({ text: 'Enough.', inputTokens: 200, outputTokens: 20 });
      expect(server.requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'none']);
      expect(server.requests[1]?.messages.at(-1)?.content).toHaveLength(5_000);
      expect(asked.map((most) => most <= 10_000)).toEqual([true, false, true]);
    });

    it('not covered for all tool results: the model answers with the first part of them', async () => {
      const usage = { inputTokens: 100, outputTokens: 10 };
      const { cover, asked } = coverUpTo(10_000);
      const calls = [call('a'), call('b'), { name: 'rm', input: {} }];
      const answer = await ask(
        [
          { toolCalls: calls, usage },
          { text: 'In short.', usage },
        ],
        {
          cover,
          tools: [long],
        },
      );
      expect(answer).toMatchObject({ text: 'In short.', inputTokens: 200, outputTokens: 20 });
      const told = server.requests[1]?.messages.filter(({ role }) => role === 'tool') ?? [];
      const said = told.map(({ content }) => content).join('');
      expect(said).toMatch(/^(𝕏{300,} …){2}'rm' cannot be called/u);
      expect(Buffer.byteLength(said)).toBeLessThanOrEqual(4_000);
      expect(server.requests[1]?.toolChoice).toBe('none');
      expect(asked.at(-1)).toBeLessThanOrEqual(asked[0] ?? 0);
    });

    it('beyond the cover, as the provider counts it, does not count against the next step', async () => {
      const { cover } = coverUpTo(10_000);
      const usage = { inputTokens: 1e9, outputTokens: 1e9 };
      const answer = await ask([{ toolCalls: [call('a')], usage }, 'Done.'], { cover });
      expect(answer.text).toBe('Done.');
    });

    it('that cannot be determined is thrown unchanged: it is not a failure of the model', async () => {
      const failure = new Error('the database is away');
      const cover = () => Promise.reject(failure);
      await expect(ask(['Hello.'], { cover })).rejects.toBe(failure);
    });
  });
});
