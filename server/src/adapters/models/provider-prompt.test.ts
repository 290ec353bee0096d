import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startAnthropicServer } from '../../../test/harness/outside/anthropic-server.ts';
import type { ModelServer, ScriptedAnswer } from '../../../test/harness/outside/model-server.ts';
import { loadTestModel, WIRE_FORMATS } from '../../../test/harness/stages/model-stage.ts';
import { startOpenAiChatServer } from '../../../test/harness/outside/openai-chat-server.ts';
import type { Generated, Prompt, Tool } from './model.ts';

const TALK: Prompt = {
  instructions: 'Be brief.',
  messages: [
    { role: 'user', content: 'a' },
    { role: 'user', content: 'b' },
    { role: 'assistant', content: 'c' },
    { role: 'assistant', content: 'd' },
    { role: 'user', content: 'e' },
    { role: 'user', content: 'found for the question, and the question' },
  ],
};
const MARK = { type: 'ephemeral' };
const find: Tool = {
  name: 'find',
  description: 'Finds things.',
  inputSchema: { type: 'object', properties: {} },
  run: async () => 'found',
};

let server: ModelServer;
afterEach(() => server.close());

async function talk(
  provider: 'openai' | 'anthropic',
  answers: ScriptedAnswer[],
): Promise<Generated> {
  const model = await loadTestModel(server, { provider }, pino({ level: 'silent' }));
  server.answerWith(answers);
  const signal = AbortSignal.timeout(20_000);
  return model.generate(TALK, { maxOutputTokens: 1000, signal, tools: [find] });
}

const USE_TOOL = { toolCalls: [{ name: 'find', input: {} }] };

describe('a conversation in the wire format of OpenAI', () => {
  it('has one message for what one side says in a row, with plain text', async () => {
    server = await startOpenAiChatServer();
    await talk('openai', [USE_TOOL, 'Done.']);
    const [first, second] = server.requests.map(({ body }) => body['messages'] as object[]);
    expect(first).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'a\n\nb' },
      { role: 'assistant', content: 'c\n\nd' },
      { role: 'user', content: 'e\n\nfound for the question, and the question' },
    ]);
    expect(second?.slice(0, 4)).toEqual(first);
    expect(second).toHaveLength(6);
  });
});

describe('a conversation in the wire format of Anthropic', () => {
  it('has marks after the instructions, before the question and after tool results', async () => {
    server = await startAnthropicServer();
    await talk('anthropic', [USE_TOOL, 'Done.']);
    const [first, second] = server.requests.map(({ body }) => body['messages'] as object[]);
    expect(server.requests[0]?.body['system']).toMatchObject([{ cache_control: MARK }]);
    expect(first).toEqual([
      { role: 'user', content: [said('a'), said('b')] },
      { role: 'assistant', content: [said('c'), said('d')] },
      {
        role: 'user',
        content: [
          { ...said('e'), cache_control: MARK },
          said('found for the question, and the question'),
        ],
      },
    ]);
    expect(second?.slice(0, 3)).toEqual(first);
    expect(second?.at(-1)).toMatchObject({ content: [{ cache_control: MARK }] });
    // Anthropic refuses more than four.
    expect(JSON.stringify(server.requests[1]?.body).match(/cache_control/g)).toHaveLength(3);
  });
});

const said = (text: string) => ({ type: 'text', text });

describe.each(WIRE_FORMATS)('cached tokens, as %s counts them', (provider, start) => {
  beforeEach(async () => {
    server = await start();
  });

  it('are part of the input, once', async () => {
    const usage = { inputTokens: 321, cachedTokens: 300, outputTokens: 45 };
    const { inputTokens, outputTokens } = await talk(provider as 'openai', [{ text: 'Hi', usage }]);
    expect({ inputTokens, outputTokens }).toEqual({ inputTokens: 321, outputTokens: 45 });
  });
});
