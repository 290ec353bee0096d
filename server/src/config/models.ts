import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { readStart, variablesOf, type Environment, type Variables } from './variables.ts';
import { errorCode } from '../core/error-code.ts';

export const PROVIDERS = ['openai', 'anthropic', 'openai-compatible'] as const;

/** A model that is called over HTTP. */
export interface ModelConfig {
  slug: string;
  provider: (typeof PROVIDERS)[number];
  /** The provider's own name for it. */
  model: string;
  /** Without a trailing slash. */
  baseUrl: string;
  apiKey?: string;
  creditsPer1kTokens: number;
  /** If input and output have different prices. `creditsPer1kTokens` is the higher one. */
  creditsPerMillion?: { input: number; output: number };
  /** True if it takes pictures. */
  vision?: true;
  /** True if an OWNER added it. Others belong to the server. */
  isOfOrg?: true;
}

/** `@model` stands for the default, and `recall` is built in. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(['model', 'recall']);
export const MAX_CREDITS = 100_000;
const MAX_FILE_BYTES = 1024 * 1024;
const FIELDS = [
  'slug',
  'provider',
  'model',
  'baseURL',
  'apiKeyEnv',
  'creditsPer1kTokens',
  'vision',
];
const ADDRESS_RULE =
  'must be an address such as https://models.example.com/v1, without a user, a password, ? or #';
export const OPENAI_URL = 'https://api.openai.com/v1';
export const ANTHROPIC_URL = 'https://api.anthropic.com/v1';

/** The models in MODELS_FILE, in its order, then those that an API key or address in the environment enables. */
export function readModels(env: Environment): ModelConfig[] {
  const variables = variablesOf(env);
  const file = variables.read('MODELS_FILE');
  const entries = file === undefined ? [] : readFile(file);
  const models = entries.length === 0 ? [] : modelsOf(entries, variables);
  // Listing a provider's models in the file is a choice, prices included, so nothing is added to it.
  const isChosen = (added: ModelConfig) =>
    models.some(
      ({ slug, baseUrl, apiKey }) =>
        slug === added.slug ||
        baseUrl === added.baseUrl ||
        (apiKey !== undefined && apiKey === added.apiKey),
    );
  return [...models, ...modelsOfEnvironment(variables).filter((added) => !isChosen(added))];
}

function readFile(path: string): unknown[] {
  let text: string;
  try {
    text = readStart(resolve(path), MAX_FILE_BYTES + 1).toString('utf8');
  } catch (error) {
    const code = errorCode(error) ?? 'unknown';
    throw new ConfigError('MODELS_FILE', `cannot read "${path}" (${code})`);
  }
  if (text.length > MAX_FILE_BYTES) {
    throw new ConfigError('MODELS_FILE', `"${path}" is larger than 1 MiB`);
  }
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch (error) {
    // The parser quotes the text around the error, which may be a key.
    const [place] = /line \d+ column \d+/.exec((error as Error).message) ?? [];
    throw new ConfigError(
      'MODELS_FILE',
      `"${path}" is not valid JSON${place ? ` (${place})` : ''}`,
    );
  }
  if (Array.isArray(entries)) return entries;
  throw new ConfigError('MODELS_FILE', `"${path}" must contain a JSON array of models`);
}

/** Reports every problem of the file, in one line. */
function modelsOf(entries: unknown[], variables: Variables): ModelConfig[] {
  const schema = entrySchema(variables);
  const problems: string[] = [];
  const slugs = new Set<string>();
  const models = entries.flatMap((entry, index) => {
    const parsed = schema.safeParse(entry);
    const slug = SLUG.safeParse(Object(entry)['slug']).data;
    const found = parsed.error?.issues.flatMap(problemsOf) ?? [];
    if (slug !== undefined && slugs.has(slug)) found.push('another entry above has this slug');
    if (slug !== undefined) slugs.add(slug);
    const name = `entry ${index + 1}${slug === undefined ? '' : ` ("${slug}")`}`;
    problems.push(...found.map((problem) => `${name}: ${problem}`));
    return parsed.data ?? [];
  });
  if (problems.length > 0) throw new ConfigError('MODELS_FILE', problems.join('; '));
  return models.map((entry) => modelOf(entry, variables));
}

const SLUG_PATTERN = /^[a-z0-9_-][a-z0-9._:-]{0,63}$/;
/** What a model can be called in a mention. A . or : at its end would be the end of a sentence. */
export const isModelSlug = (slug: string) =>
  SLUG_PATTERN.test(slug) && /[^.:]$/.test(slug) && !RESERVED_SLUGS.has(slug);
/** The provider's own name for a model. */
export const MODEL_PATTERN = /^[^\p{C}\s]{1,200}$/u;
const SLUG_RULE = 'slug must be 1 to 64 of a-z, 0-9, - _ . and :, and must not start with . or :';
const SLUG = z
  .string({ error: not(SLUG_RULE) })
  .regex(SLUG_PATTERN, { error: not(SLUG_RULE), abort: true })
  .regex(/[^.:]$/, { error: not('slug must not end in . or :, which end a sentence') })
  .refine((slug) => !RESERVED_SLUGS.has(slug), {
    error: ({ input }) => `the slug ${quote(input)} is reserved; choose another`,
  });

const MODEL_RULE = "model must be the provider's own name for the model, without spaces";
const CREDITS_RULE = `creditsPer1kTokens must be a number from 0 to ${MAX_CREDITS}`;
// An address and a key are never quoted: people paste passwords and keys here.
const BASE_URL_RULE = `baseURL ${ADDRESS_RULE}`;
const KEY_RULE =
  'apiKeyEnv must be the name of an environment variable in capitals, not the key itself';

function entrySchema(variables: Variables) {
  return z
    .strictObject(
      {
        slug: SLUG,
        provider: z.enum(PROVIDERS, {
          error: not(`provider must be one of ${PROVIDERS.join(', ')}`),
        }),
        model: z.string(MODEL_RULE).regex(MODEL_PATTERN, MODEL_RULE),
        baseURL: z
          .string(BASE_URL_RULE)
          .refine((text) => addressOf(text) !== undefined, BASE_URL_RULE)
          .nullish(),
        apiKeyEnv: z
          .string(KEY_RULE)
          .regex(/^[A-Z_][A-Z0-9_]{0,127}$/, { error: KEY_RULE, abort: true })
          .refine((name) => readKey(name, variables) !== undefined, {
            error: ({ input }) => `apiKeyEnv names ${String(input)}, which is not set`,
          })
          .nullish(),
        creditsPer1kTokens: z
          .number({ error: not(CREDITS_RULE) })
          .min(0, { error: not(CREDITS_RULE) })
          .max(MAX_CREDITS, { error: not(CREDITS_RULE) })
          .nullish(),
        vision: z.boolean({ error: not('vision must be true or false') }).nullish(),
      },
      // The other problem an object can have, unknown fields, is worded by `problemsOf`.
      { error: 'must be an object with slug, provider and model' },
    )
    .refine(({ provider, baseURL }) => provider !== 'openai-compatible' || baseURL != null, {
      error: 'baseURL is required for an OpenAI-compatible service',
      when: isObject,
    })
    .refine((entry) => ownKeyOf(entry) === undefined || ownKey(entry, variables) !== undefined, {
      error: ({ input }) =>
        `needs ${ownKeyOf(input as KeyFields)}, or another variable named in apiKeyEnv`,
      when: isObject,
    });
}

type Entry = z.infer<ReturnType<typeof entrySchema>>;

function problemsOf(issue: z.core.$ZodIssue): string[] {
  if (issue.code !== 'unrecognized_keys') return [issue.message];
  return issue.keys.map((name) => {
    const hint = /key/i.test(name) ? '; put the key into a variable and name it in apiKeyEnv' : '';
    return `unknown field ${quote(name)}; expected one of ${FIELDS.join(', ')}${hint}`;
  });
}

function modelOf(entry: Entry, variables: Variables): ModelConfig {
  const { slug, provider, model, baseURL, apiKeyEnv, creditsPer1kTokens, vision } = entry;
  const apiKey = apiKeyEnv == null ? ownKey(entry, variables) : readKey(apiKeyEnv, variables);
  const usualUrl = provider === 'anthropic' ? ANTHROPIC_URL : openAiUrl(variables);
  return {
    slug,
    provider,
    model,
    baseUrl: (baseURL != null && addressOf(baseURL)) || usualUrl,
    ...(apiKey !== undefined && { apiKey }),
    creditsPer1kTokens: creditsPer1kTokens ?? 0,
    ...(vision === true && { vision }),
  };
}

interface KeyFields {
  provider: string;
  baseURL?: string | null | undefined;
  apiKeyEnv?: string | null | undefined;
}

/** The variable with the provider's usual key. It goes to the provider's own address only. */
function ownKeyOf({ provider, baseURL, apiKeyEnv }: KeyFields): string | undefined {
  if (apiKeyEnv != null || baseURL != null) return undefined;
  if (provider === 'openai') return 'OPENAI_API_KEY';
  return provider === 'anthropic' ? 'ANTHROPIC_API_KEY' : undefined;
}

function ownKey(entry: KeyFields, variables: Variables): string | undefined {
  const name = ownKeyOf(entry);
  return name === undefined ? undefined : readKey(name, variables);
}

function isObject({ value }: { value: unknown }): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function not(rule: string) {
  return ({ input }: { input?: unknown }) => `${rule}, not ${quote(input)}`;
}

/** Without a slash at its end. Undefined if it is not an address of a provider. */
export function addressOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined;
  if (url.username || url.password || url.search || url.hash) return undefined;
  return url.href.replace(/\/+$/, '');
}

/** People type the slugs, so they stay the same when newer models replace those behind them. */
function modelsOfEnvironment(variables: Variables): ModelConfig[] {
  const isSold = variables.readSecret('STRIPE_SECRET_KEY') !== undefined;
  const found: ModelConfig[] = [];
  const add = (
    base: Pick<ModelConfig, 'provider' | 'baseUrl' | 'apiKey' | 'vision'>,
    presets: Preset[],
  ) => {
    for (const [slug, model, credits] of presets) {
      found.push({ ...base, slug, model, creditsPer1kTokens: isSold ? credits : 0 });
    }
  };
  const openAiKey = readKey('OPENAI_API_KEY', variables);
  if (openAiKey !== undefined) {
    const baseUrl = openAiUrl(variables);
    add({ provider: 'openai', baseUrl, apiKey: openAiKey, vision: true }, OPENAI_MODELS);
  }
  const anthropicKey = readKey('ANTHROPIC_API_KEY', variables);
  if (anthropicKey !== undefined) {
    const baseUrl = ANTHROPIC_URL;
    add({ provider: 'anthropic', baseUrl, apiKey: anthropicKey, vision: true }, ANTHROPIC_MODELS);
  }
  const ollama = readAddress('OLLAMA_BASE_URL', variables);
  if (ollama !== undefined) {
    const baseUrl = ollama.endsWith('/v1') ? ollama : `${ollama}/v1`;
    add({ provider: 'openai-compatible', baseUrl }, OLLAMA_MODELS);
  }
  return found;
}

/** Slug, the provider's name for the model, and credits per 1,000 tokens: its output price, rounded up. */
type Preset = [slug: string, model: string, credits: number];
const OPENAI_MODELS: Preset[] = [
  ['gpt', 'gpt-5.6-terra', 1.5],
  ['gpt-mini', 'gpt-5.6-luna', 0.2],
];
const ANTHROPIC_MODELS: Preset[] = [
  ['claude', 'claude-sonnet-5-5', 1],
  ['claude-haiku', 'claude-haiku-5-5', 0.1],
];
const OLLAMA_MODELS: Preset[] = [
  ['llama', 'llama3.2', 0.1],
  ['qwen', 'qwen3', 0.1],
];

function openAiUrl(variables: Variables): string {
  return readAddress('OPENAI_BASE_URL', variables) ?? OPENAI_URL;
}

function readAddress(name: string, variables: Variables): string | undefined {
  const text = variables.read(name);
  if (text === undefined) return undefined;
  const address = addressOf(text);
  if (address === undefined) throw new ConfigError(name, ADDRESS_RULE);
  return address;
}

/** A key is sent in a header, and only these characters are allowed there. */
function readKey(name: string, variables: Variables): string | undefined {
  const key = variables.readSecret(name);
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key;
  throw new ConfigError(name, 'must be an API key: printable ASCII characters, without spaces');
}

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
