import pino from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startAnthropicServer } from '../../../test/harness/outside/anthropic-server.ts';
import type { ModelServer, SeenRequest } from '../../../test/harness/outside/model-server.ts';
import { startOpenAiChatServer } from '../../../test/harness/outside/openai-chat-server.ts';
import type { ModelConfig } from '../../config/models.ts';
import { createModelRegistry } from './create-model-registry.ts';

const log = pino({ level: 'silent' });

function modelConfig(slug: string): ModelConfig {
  return {
    slug,
    provider: 'openai',
    model: `${slug}-1`,
    baseUrl: 'http://127.0.0.1:9/v1',
    apiKey: 'sk-canary',
    creditsPer1kTokens: 1.5,
  };
}

describe('the registry of models', () => {
  it('has only the built-in model if nothing is configured', async () => {
    const registry = createModelRegistry([], log);
    expect(registry.defaultSlug).toBe('recall');
    expect(registry.list()).toEqual([
      { slug: 'recall', provider: 'builtin', model: null, creditsPer1kTokens: 0 },
    ]);
    expect(await registry.load('recall')).toBeUndefined();
  });

  it('lists the configured models in order, without keys and addresses; the first is the default', () => {
    const registry = createModelRegistry([modelConfig('b'), modelConfig('a')], log);
    expect(registry.defaultSlug).toBe('b');
    expect(registry.list()).toEqual([
      { slug: 'b', provider: 'openai', model: 'b-1', creditsPer1kTokens: 1.5 },
      { slug: 'a', provider: 'openai', model: 'a-1', creditsPer1kTokens: 1.5 },
      { slug: 'recall', provider: 'builtin', model: null, creditsPer1kTokens: 0 },
    ]);
  });

  it('finds and loads by slug, ignoring case, and loads a model once', async () => {
    const registry = createModelRegistry([modelConfig('gpt')], log);
    expect(registry.find('GPT')?.model).toBe('gpt-1');
    expect(registry.find('Recall')?.provider).toBe('builtin');
    expect(registry.find('nobody')).toBeUndefined();
    expect(await registry.load('nobody')).toBeUndefined();
    const [first, second] = await Promise.all([registry.load('gpt'), registry.load('Gpt')]);
    expect(first).toBe(second);
    expect(first).toMatchObject(registry.list()[0] ?? {});
    expect(JSON.stringify(first)).not.toContain('sk-canary');
  });

  describe('asks', () => {
    afterEach(() => vi.unstubAllEnvs());

    it('a compatible service by its own model names, and without a key if none is configured', async () => {
      const server = await startOpenAiChatServer();
      const request = await askEntry('openai-compatible', server);
      expect(request?.body).toMatchObject({
        max_tokens: 10,
        stream_options: { include_usage: true },
      });
      expect(request?.headers.authorization).toBeUndefined();
    });

    it('OpenAI with the parameter name that its own models expect', async () => {
      const request = await askEntry('openai', await startOpenAiChatServer());
      expect(request?.body).toMatchObject({ max_completion_tokens: 10 });
      expect(request?.body).not.toHaveProperty('max_tokens');
    });

    it('Anthropic without an environment key that the entry does not name', async () => {
      vi.stubEnv('ANTHROPIC_API_KEY', 'sk-canary');
      vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:9');
      const request = await askEntry('anthropic', await startAnthropicServer());
      expect(request?.headers['x-api-key']).toBe('');
    });

    it('without SDK output on the console, even if it warns', async () => {
      const emitWarning = vi.spyOn(process, 'emitWarning');
      const warn = vi.spyOn(console, 'warn');
      const lines: string[] = [];
      const ownLog = pino({ level: 'debug' }, { write: (line) => void lines.push(line) });
      const server = await startAnthropicServer();
      // The SDK limits this model to 4,096 output tokens.
      const fields = { model: 'claude-3-haiku-20240307', log: ownLog, maxOutputTokens: 5000 };
      await askEntry('anthropic', server, fields);
      expect(server.requests[0]?.maxOutputTokens).toBe(4096);
      expect(lines.join('')).toContain('the AI SDK warns');
      expect(emitWarning).not.toHaveBeenCalled();
      expect(warn).not.toHaveBeenCalled();
      vi.restoreAllMocks();
    });
  });
});

async function askEntry(
  provider: ModelConfig['provider'],
  server: ModelServer,
  { model: name = 'ada-1', log: ownLog = log, maxOutputTokens = 10 } = {},
): Promise<SeenRequest | undefined> {
  const { apiKey: _, ...entry } = modelConfig('ada');
  const config = { ...entry, provider, model: name, baseUrl: server.baseUrl };
  const model = await createModelRegistry([config], ownLog).load('ada');
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  const options = { maxOutputTokens, signal: AbortSignal.timeout(5000) };
  await model?.generate({ instructions: '', messages }, options);
  await server.close();
  return server.requests[0];
}
