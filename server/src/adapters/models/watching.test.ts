import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelServer, ScriptedAnswer } from '../../../test/harness/outside/model-server.ts';
import {
  askModel,
  expectFailure,
  loadTestModel,
  WIRE_FORMATS,
} from '../../../test/harness/stages/model-stage.ts';
import type { AnswerWatcher, GenerateOptions, LanguageModel, Tool } from './model.ts';

const TOOL: Tool = {
  name: 'look',
  description: 'Looks something up.',
  inputSchema: { type: 'object' },
  run: async () => 'found',
};

/** Keeps what a viewer would see, and what was shown before each restart. */
class Viewer implements AnswerWatcher {
  text = '';
  readonly before: string[] = [];
  readonly #waiting = new Set<() => void>();

  onText(delta: string): void {
    this.text += delta;
    for (const look of this.#waiting) look();
  }

  onRestart(): void {
    this.before.push(this.text);
    this.text = '';
  }

  sees(text: string): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.text === text) resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }
}

describe.each(WIRE_FORMATS)('watching a model of the provider %s', (provider, start) => {
  let server: ModelServer;
  let model: LanguageModel;
  let watcher: Viewer;

  beforeEach(async () => {
    server = await start();
    watcher = new Viewer();
    model = await loadTestModel(server, { provider }, pino({ level: 'silent' }));
  });
  afterEach(() => server.close());

  const ask = (answers: ScriptedAnswer[], options?: Partial<GenerateOptions>) =>
    askModel(server, model, answers, { watcher, ...options });

  it('shows what was written before the answer is complete', async () => {
    const stop = new AbortController();
    const answer: ScriptedAnswer = { text: 'one two ', chunks: 2, ending: 'hang' };
    const asking = ask([answer], { stop: stop.signal });
    await watcher.sees('one two ');
    stop.abort();
    expect((await asking).text).toBe('one two');
    expect(watcher.before).toEqual([]);
  });

  it('shows all of an answer in 300 pieces, in order', async () => {
    const text = '🙂a'.repeat(200);
    expect((await ask([{ text, chunks: 300 }])).text).toBe(text);
    expect(watcher.text).toBe(text);
  });

  it.each<[string, ScriptedAnswer, string]>([
    ['cut in the middle', { text: 'Here', ending: 'cut' }, 'Here'],
    ['closed early', { text: 'Here I', ending: 'close' }, 'Here I'],
    ['a 503', { status: 503 }, ''],
    ['a 429', { status: 429, headers: { 'retry-after': '0' } }, ''],
    ['garbage', { raw: 'data: {{{\n\n' }, ''],
  ])('starts over when the provider is asked again: %s', async (_case, first, shown) => {
    expect((await ask([first, 'Here I am.'])).text).toBe('Here I am.');
    expect(watcher).toMatchObject({ text: 'Here I am.', before: [shown] });
  });

  it('starts over twice at most, then fails', async () => {
    await expectFailure(ask([{ text: 'Again', ending: 'cut' }]));
    expect(watcher).toMatchObject({ text: 'Again', before: ['Again', 'Again'] });
  });

  it('shows what is said before tool calls, parallel ones too, until the answer replaces it', async () => {
    const toolCalls = [
      { name: 'look', input: { at: 1 } },
      { name: 'look', input: { at: 2 } },
    ];
    const { text } = await ask([{ text: 'Let me look.', toolCalls }, 'Found.'], { tools: [TOOL] });
    expect(text).toBe('Found.');
    expect(watcher).toMatchObject({ text: 'Found.', before: ['Let me look.'] });
  });

  it('shows no more than an answer that is too long', async () => {
    const { truncated } = await ask([{ text: 'wall '.repeat(10_000), chunks: 100 }]);
    expect(truncated).toBe(true);
    expect(watcher.text.length).toBeLessThan(22_000);
  });

  describe('a stop', () => {
    it('in the middle: what was written is the answer, and is counted', async () => {
      const stop = new AbortController();
      const asking = ask([{ text: 'twelve bytes', ending: 'hang' }], { stop: stop.signal });
      await watcher.sees('twelve bytes');
      stop.abort();
      expect(await asking).toEqual({
        text: 'twelve bytes',
        isStopped: true,
        truncated: false,
        inputTokens: 4,
        outputTokens: 3,
      });
      await server.hungUp(1);
    });

    it('before the first token: nothing was written', async () => {
      const stop = new AbortController();
      const asking = ask([{ hang: 'after-headers' }], { stop: stop.signal });
      await server.received(1);
      stop.abort();
      expect(await asking).toMatchObject({ text: '', isStopped: true, outputTokens: 0 });
    });

    it('before the run: the provider is not asked', async () => {
      const answer = await ask(['Hello.'], { stop: AbortSignal.abort() });
      expect(answer).toMatchObject({ text: '', inputTokens: 0, outputTokens: 0, isStopped: true });
      expect(server.requests).toHaveLength(0);
    });

    it('during a tool call that never ends: what was said before it is the answer', async () => {
      const stop = new AbortController();
      const called = Promise.withResolvers<void>();
      const run = () => {
        called.resolve();
        return new Promise<string>(() => {});
      };
      const toolCalls = [{ name: 'look', input: {} }];
      const tools = [{ ...TOOL, run }];
      const asking = ask([{ text: 'Looking.', toolCalls }], { stop: stop.signal, tools });
      await called.promise;
      stop.abort();
      expect(await asking).toMatchObject({ text: 'Looking.', isStopped: true, inputTokens: 11 });
    });

    it('after the end changes nothing', async () => {
      const stop = new AbortController();
      const answer = await ask(['Hello.'], { stop: stop.signal });
      stop.abort();
      expect(answer.isStopped).toBeUndefined();
    });
  });
});
