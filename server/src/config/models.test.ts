import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useFolder } from '../../test/harness/use-folder.ts';
import { ConfigError } from './config-error.ts';
import { readModels } from './models.ts';

const SECRET = 'sk-canary-0123';
const folder = useFolder();

function modelsFile(content: unknown): string {
  const path = join(folder.path, 'models.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const readFile = (content: unknown, env: Record<string, string> = {}) =>
  readModels({ MODELS_FILE: modelsFile(content), ...env });

describe('MODELS_FILE', () => {
  it('lists its models in order', () => {
    const models = readFile(
      [
        { slug: 'gpt', provider: 'openai', model: 'gpt-9', creditsPer1kTokens: 0.25 },
        { slug: 'claude', provider: 'anthropic', model: 'claude-9', apiKeyEnv: 'MY_KEY' },
        {
          slug: 'qwen3:8b',
          provider: 'openai-compatible',
          model: 'qwen3:8b',
          baseURL: 'http://gpu.local:8000/v1/',
        },
      ],
      { OPENAI_API_KEY: SECRET, MY_KEY: 'mine' },
    );
    expect(models).toEqual([
      {
        slug: 'gpt',
        provider: 'openai',
        model: 'gpt-9',
        baseUrl: 'https://api.openai.com/v1',
        apiKey: SECRET,
        creditsPer1kTokens: 0.25,
      },
      {
        slug: 'claude',
        provider: 'anthropic',
        model: 'claude-9',
        baseUrl: 'https://api.anthropic.com/v1',
        apiKey: 'mine',
        creditsPer1kTokens: 0,
      },
      {
        slug: 'qwen3:8b',
        provider: 'openai-compatible',
        model: 'qwen3:8b',
        baseUrl: 'http://gpu.local:8000/v1',
        creditsPer1kTokens: 0,
      },
    ]);
  });

  it('may be empty', () => {
    expect(readFile([])).toEqual([]);
  });

  it('sends OPENAI_API_KEY only to its own address', () => {
    const baseURL = 'https://elsewhere.example.com/v1';
    const entry = { slug: 'other', provider: 'openai', model: 'm', baseURL };
    const env = { OPENAI_API_KEY: SECRET };
    expect(readFile([entry], env)[0]).not.toHaveProperty('apiKey');
    const named = readFile([{ ...entry, apiKeyEnv: 'OPENAI_API_KEY' }], env);
    expect(named[0]).toMatchObject({ apiKey: SECRET, baseUrl: baseURL });
  });

  it.each<[string, unknown, string]>([
    ['no JSON', `[{ "apiKey": ${SECRET}`, 'is not valid JSON'],
    ['no array', { slug: 'a' }, 'must contain a JSON array'],
    ['no object', ['gpt'], 'entry 1: must be an object'],
    ['null', [null], 'entry 1: must be an object'],
    [
      'an unknown field',
      [entry({ apiKey: SECRET })],
      'unknown field "apiKey"; expected one of slug',
    ],
    ['a key as a field', [entry({ apiKey: SECRET })], 'name it in apiKeyEnv'],
    ['no slug', [entry({ slug: undefined })], 'entry 1: slug must be 1 to 64'],
    ['a slug in capitals', [entry({ slug: 'GPT' })], 'not "GPT"'],
    ['a long slug', [entry({ slug: 'x'.repeat(65) })], 'slug must be 1 to 64'],
    ['a slug with a dot first', [entry({ slug: '.a' })], 'slug must be 1 to 64'],
    ['a slug with a dot last', [entry({ slug: 'a.' })], 'must not end in . or :'],
    ['a slug with a colon last', [entry({ slug: 'a:' })], 'must not end in . or :'],
    ['the slug model', [entry({ slug: 'model' })], 'the slug "model" is reserved'],
    ['the slug recall', [entry({ slug: 'recall' })], 'the slug "recall" is reserved'],
    ['a slug twice', [entry(), entry()], 'entry 2 ("ada"): another entry above has this slug'],
    ['an unknown provider', [entry({ provider: 'acme' })], 'openai, anthropic, openai-compatible'],
    ['no model', [entry({ model: undefined })], "the provider's own name"],
    ['an empty model', [entry({ model: '' })], "the provider's own name"],
    ['no baseURL', [entry({ baseURL: undefined })], 'baseURL is required'],
    ['a baseURL of another kind', [entry({ baseURL: 'ftp://a/' })], 'baseURL must be an address'],
    ['a baseURL that is none', [entry({ baseURL: 'gpu:1' })], 'baseURL must be an address'],
    ['a baseURL with a password', [entry({ baseURL: `http://a:${SECRET}@b` })], 'without a user'],
    ['a baseURL that is a number', [entry({ baseURL: 1 })], 'baseURL must be an address'],
    ['a variable that is not set', [entry({ apiKeyEnv: 'NO_KEY' })], 'NO_KEY, which is not set'],
    ['a key for its variable', [entry({ apiKeyEnv: SECRET })], 'not the key itself'],
    ['a negative price', [entry({ creditsPer1kTokens: -1 })], 'from 0 to 100000, not -1'],
    ['a price as text', [entry({ creditsPer1kTokens: '1' })], 'from 0 to 100000, not "1"'],
    ['no key for OpenAI', [{ slug: 'a', provider: 'openai', model: 'm' }], 'needs OPENAI_API_KEY'],
    ['none for Anthropic', [{ slug: 'a', provider: 'anthropic', model: 'm' }], 'ANTHROPIC_API_KEY'],
  ])('%s: an error that says so, in one line and without a key', (_, content, words) => {
    const read = () => readFile(content);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(words);
    expect(read).toThrow(/^MODELS_FILE: .+$/);
    expect(read).not.toThrow(SECRET);
  });

  it('reports every problem at once', () => {
    const read = () => readFile([entry({ slug: 'A', model: 1 }), entry({ provider: 'acme' })]);
    expect(read).toThrow(/entry 1: slug .*; entry 1: model .*; entry 2 \("ada"\): provider /);
  });

  it('a missing file, or a folder: names it', () => {
    expect(() => readModels({ MODELS_FILE: '/nowhere.json' })).toThrow('"/nowhere.json"');
    expect(() => readModels({ MODELS_FILE: folder.path })).toThrow('EISDIR');
  });
});

function entry(fields: object = {}): object {
  const baseURL = 'http://127.0.0.1:8000/v1';
  return { slug: 'ada', provider: 'openai-compatible', model: 'ada-1', baseURL, ...fields };
}

describe('a key or address in the environment', () => {
  const slugs = (env: Record<string, string>) => readModels(env).map(({ slug }) => slug);

  it('nothing: no models', () => {
    expect(readModels({ OPENAI_API_KEY: ' ', STRIPE_SECRET_KEY: 'sk_test' })).toEqual([]);
  });

  it('enables models, OpenAI first, then Anthropic and Ollama, all free', () => {
    const models = readModels({
      OPENAI_API_KEY: SECRET,
      ANTHROPIC_API_KEY: 'sk-ant',
      OLLAMA_BASE_URL: 'http://127.0.0.1:11434/',
    });
    expect(models.map(({ slug, baseUrl, apiKey }) => [slug, baseUrl, apiKey])).toEqual([
      ['gpt', 'https://api.openai.com/v1', SECRET],
      ['gpt-mini', 'https://api.openai.com/v1', SECRET],
      ['claude', 'https://api.anthropic.com/v1', 'sk-ant'],
      ['claude-haiku', 'https://api.anthropic.com/v1', 'sk-ant'],
      ['llama', 'http://127.0.0.1:11434/v1', undefined],
      ['qwen', 'http://127.0.0.1:11434/v1', undefined],
    ]);
    expect(models.every(({ creditsPer1kTokens }) => creditsPer1kTokens === 0)).toBe(true);
  });

  it('with Stripe: they have a price', () => {
    const models = readModels({ OPENAI_API_KEY: SECRET, STRIPE_SECRET_KEY: 'sk_test' });
    expect(models.every(({ creditsPer1kTokens }) => creditsPer1kTokens > 0)).toBe(true);
  });

  it('goes to OPENAI_BASE_URL and to an Ollama under a path', () => {
    const OPENAI_BASE_URL = 'http://proxy.local/openai/';
    const [model] = readModels({ OPENAI_API_KEY: SECRET, OPENAI_BASE_URL });
    expect(model?.baseUrl).toBe('http://proxy.local/openai');
    expect(readModels({ OLLAMA_BASE_URL: 'http://a/v1' })[0]?.baseUrl).toBe('http://a/v1');
  });

  it('adds nothing if the file lists a model with the same slug, address or key', () => {
    const env = { OPENAI_API_KEY: SECRET, ANTHROPIC_API_KEY: 'sk-ant' };
    const own = { slug: 'mine', provider: 'openai', model: 'm' };
    const file = (each: object) => ({ ...env, MODELS_FILE: modelsFile([each]) });
    expect(slugs(file(own))).toEqual(['mine', 'claude', 'claude-haiku']);
    const elsewhere = entry({ apiKeyEnv: 'OPENAI_API_KEY' });
    expect(slugs(file(elsewhere))).toEqual(['ada', 'claude', 'claude-haiku']);
    expect(slugs(file(entry({ slug: 'claude' })))).toEqual([
      'claude',
      'gpt',
      'gpt-mini',
      'claude-haiku',
    ]);
  });

  it.each([
    ['OPENAI_API_KEY', `${SECRET} and more`],
    ['ANTHROPIC_API_KEY', `${SECRET}\u2026`],
    ['OLLAMA_BASE_URL', 'localhost:11434'],
    ['OLLAMA_BASE_URL', `http://a:${SECRET}@b`],
  ])('%s that is invalid: an error that names it and does not quote it', (name, value) => {
    expect(() => readModels({ [name]: value })).toThrow(new RegExp(`^${name}: must be`));
    expect(() => readModels({ [name]: value })).not.toThrow(SECRET);
  });
});
