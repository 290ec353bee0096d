import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from './config-error.ts';

const PROVIDERS = ['openai', 'anthropic', 'openai-compatible'] as const;

/** A model that is asked over HTTP. */
export interface ModelConfig {
  slug: string;
  provider: (typeof PROVIDERS)[number];
  /** The provider's own name for it. */
  model: string;
  /** Without a slash at the end. */
  baseUrl: string;
  apiKey?: string;
  creditsPer1kTokens: number;
}

type Read = (name: string) => string | undefined;

/** `@model` stands for the default, and `recall` is built in. */
const RESERVED_SLUGS = new Set(['model', 'recall']);
const MAX_CREDITS = 100_000;
const FIELDS = ['slug', 'provider', 'model', 'baseURL', 'apiKeyEnv', 'creditsPer1kTokens'];
const OPENAI_URL = 'https://api.openai.com/v1';
const ANTHROPIC_URL = 'https://api.anthropic.com/v1';

/** The models of MODELS_FILE, in its order, then those that a key or an address alone brings. */
export function readModels(env: Record<string, string | undefined>): ModelConfig[] {
  const read: Read = (name) => env[name]?.trim() || undefined;
  const file = read('MODELS_FILE');
  const entries = file === undefined ? [] : readFile(file);
  const models = entries.length === 0 ? [] : modelsOf(entries, read);
  // Who lists a provider's models has chosen them, and their prices: nothing is added to the choice.
  const isChosen = (added: ModelConfig) =>
    models.some(
      ({ slug, baseUrl, apiKey }) =>
        slug === added.slug ||
        baseUrl === added.baseUrl ||
        (apiKey !== undefined && apiKey === added.apiKey),
    );
  return [...models, ...modelsOfEnvironment(read).filter((added) => !isChosen(added))];
}

function readFile(path: string): unknown[] {
  let text: string;
  try {
    text = readFileSync(resolve(path), 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new ConfigError('MODELS_FILE', `the file "${path}" cannot be read (${code})`);
  }
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch (error) {
    // The parser quotes what it found, which may be a key.
    const [place] = /line \d+ column \d+/.exec((error as Error).message) ?? [];
    throw new ConfigError('MODELS_FILE', `"${path}" is not JSON${place ? ` (${place})` : ''}`);
  }
  if (Array.isArray(entries)) return entries;
  throw new ConfigError('MODELS_FILE', `"${path}" must hold a JSON array of models`);
}

/** Every problem of the file in one line. */
function modelsOf(entries: unknown[], read: Read): ModelConfig[] {
  const problems: string[] = [];
  const slugs = new Set<string>();
  const models = entries.flatMap((entry, index) => {
    const found: string[] = [];
    const model = modelOf(entry, read, found);
    if (slugs.has(model.slug)) found.push('its slug is taken by an entry above: choose another');
    if (model.slug) slugs.add(model.slug);
    const name = model.slug ? `entry ${index + 1} ("${model.slug}")` : `entry ${index + 1}`;
    problems.push(...found.map((problem) => `${name}: ${problem}`));
    return model;
  });
  if (problems.length > 0) throw new ConfigError('MODELS_FILE', problems.join('; '));
  return models;
}

function modelOf(entry: unknown, read: Read, problems: string[]): ModelConfig {
  const isObject = typeof entry === 'object' && entry !== null && !Array.isArray(entry);
  const fields = isObject ? (entry as Record<string, unknown>) : {};
  if (!isObject) problems.push('must be an object with slug, provider and model');
  for (const name of Object.keys(fields)) {
    if (FIELDS.includes(name)) continue;
    const hint = /key/i.test(name) ? '; put the key into a variable and name it in apiKeyEnv' : '';
    problems.push(`${quote(name)} is no field; there are ${FIELDS.join(', ')}${hint}`);
  }
  const check = <T>(value: T | string): T | undefined =>
    typeof value === 'string' ? void (isObject && problems.push(value)) : value;
  const provider = check(providerOf(fields['provider']))?.is ?? 'openai-compatible';
  const apiKey = check(apiKeyOf(fields, provider, read))?.is;
  return {
    slug: check(slugOf(fields['slug']))?.is ?? '',
    provider,
    model: check(modelNameOf(fields['model']))?.is ?? '',
    baseUrl: check(baseUrlOf(fields['baseURL'], fields['provider'], read))?.is ?? '',
    ...(apiKey !== undefined && { apiKey }),
    creditsPer1kTokens: check(creditsOf(fields['creditsPer1kTokens']))?.is ?? 0,
  };
}

/** The value, or the problem with it. */
type Checked<T> = { is: T } | string;

function slugOf(value: unknown): Checked<string> {
  if (typeof value !== 'string' || !/^[a-z0-9_-][a-z0-9._:-]{0,63}$/.test(value)) {
    return `slug must be 1 to 64 of a-z, 0-9, - _ . and :, beginning with none of the last two, not ${quote(value)}`;
  }
  if (/[.:]$/.test(value)) return `slug may not end in . or :, which end a sentence: "${value}"`;
  return RESERVED_SLUGS.has(value) ? `"${value}" is reserved: choose another slug` : { is: value };
}

function providerOf(value: unknown): Checked<ModelConfig['provider']> {
  const found = PROVIDERS.find((each) => each === value);
  return found
    ? { is: found }
    : `provider must be one of ${PROVIDERS.join(', ')}, not ${quote(value)}`;
}

function modelNameOf(value: unknown): Checked<string> {
  const isName = typeof value === 'string' && /^[^\p{C}\s]{1,200}$/u.test(value);
  return isName
    ? { is: value }
    : "model must be the provider's own name of the model, without spaces";
}

/** Never quoted: an address may carry a password. */
function baseUrlOf(value: unknown, provider: unknown, read: Read): Checked<string> {
  if (value === undefined || value === null) {
    if (provider === 'anthropic') return { is: ANTHROPIC_URL };
    if (provider === 'openai') return { is: openAiUrl(read) };
    return provider === 'openai-compatible'
      ? 'baseURL is missing: where is the service?'
      : { is: '' };
  }
  const address = typeof value === 'string' ? addressOf(value) : undefined;
  return address ? { is: address } : `baseURL ${ADDRESS_RULE}`;
}

const ADDRESS_RULE =
  'must be an address such as https://models.example.com/v1, without a user, a password, ? or #';

function addressOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined;
  if (url.username || url.password || url.search || url.hash) return undefined;
  return url.href.replace(/\/+$/, '');
}

/** Our own key goes to the provider's own address only; another one has to be named. */
function apiKeyOf(
  fields: Record<string, unknown>,
  provider: ModelConfig['provider'],
  read: Read,
): Checked<string | undefined> {
  const { apiKeyEnv: name, baseURL } = fields;
  if (name === undefined || name === null) {
    if (provider === 'openai-compatible' || typeof baseURL === 'string') return { is: undefined };
    const usual = provider === 'openai' ? 'OPENAI_API_KEY' : 'ANTHROPIC_API_KEY';
    const key = readKey(usual, read);
    return key === undefined
      ? `needs ${usual}, or another variable named in apiKeyEnv`
      : { is: key };
  }
  // Capitals only, and not quoted otherwise: people paste the key itself here.
  if (typeof name !== 'string' || !/^[A-Z_][A-Z0-9_]{0,127}$/.test(name)) {
    return 'apiKeyEnv must be the name of an environment variable in capitals, not the key itself';
  }
  const key = readKey(name, read);
  return key === undefined ? `apiKeyEnv names ${name}, which is not set` : { is: key };
}

function creditsOf(value: unknown): Checked<number> {
  const credits = value ?? 0;
  const isPrice = typeof credits === 'number' && credits >= 0 && credits <= MAX_CREDITS;
  if (isPrice) return { is: credits };
  return `creditsPer1kTokens must be a number from 0 to ${MAX_CREDITS}, not ${quote(value)}`;
}

/** Slugs are what people type, and stay as the models behind them are replaced. */
function modelsOfEnvironment(read: Read): ModelConfig[] {
  const isSold = read('STRIPE_SECRET_KEY') !== undefined;
  const found: ModelConfig[] = [];
  const add = (base: Pick<ModelConfig, 'provider' | 'baseUrl' | 'apiKey'>, entries: Entry[]) => {
    for (const [slug, model, credits] of entries) {
      found.push({ ...base, slug, model, creditsPer1kTokens: isSold ? credits : 0 });
    }
  };
  const openAiKey = readKey('OPENAI_API_KEY', read);
  if (openAiKey !== undefined) {
    add({ provider: 'openai', baseUrl: openAiUrl(read), apiKey: openAiKey }, OPENAI_MODELS);
  }
  const anthropicKey = readKey('ANTHROPIC_API_KEY', read);
  if (anthropicKey !== undefined) {
    add({ provider: 'anthropic', baseUrl: ANTHROPIC_URL, apiKey: anthropicKey }, ANTHROPIC_MODELS);
  }
  const ollama = readAddress('OLLAMA_BASE_URL', read);
  if (ollama !== undefined) {
    const baseUrl = ollama.endsWith('/v1') ? ollama : `${ollama}/v1`;
    add({ provider: 'openai-compatible', baseUrl }, OLLAMA_MODELS);
  }
  return found;
}

/** Slug, the provider's name, and credits per 1,000 tokens: what an answer's output costs, rounded up. */
type Entry = [slug: string, model: string, credits: number];
const OPENAI_MODELS: Entry[] = [
  ['gpt', 'gpt-5.6-terra', 1.5],
  ['gpt-mini', 'gpt-5.6-luna', 0.2],
];
const ANTHROPIC_MODELS: Entry[] = [
  ['claude', 'claude-sonnet-5-5', 1],
  ['claude-haiku', 'claude-haiku-5-5', 0.1],
];
const OLLAMA_MODELS: Entry[] = [
  ['llama', 'llama3.2', 0.1],
  ['qwen', 'qwen3', 0.1],
];

function openAiUrl(read: Read): string {
  return readAddress('OPENAI_BASE_URL', read) ?? OPENAI_URL;
}

function readAddress(name: string, read: Read): string | undefined {
  const text = read(name);
  if (text === undefined) return undefined;
  const address = addressOf(text);
  if (address === undefined) throw new ConfigError(name, ADDRESS_RULE);
  return address;
}

/** It travels in a header, where anything else would fail at the first question. */
function readKey(name: string, read: Read): string | undefined {
  const key = read(name);
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key;
  throw new ConfigError(name, 'must be a key: letters, digits and signs, without spaces');
}

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
