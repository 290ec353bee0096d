import type { ModelConfig } from '../../config/models.ts';
import type { CheckResult } from '../safe-fetch/safe-fetch.ts';

export type Provider = 'builtin' | ModelConfig['provider'];

export interface ModelInfo {
  /** The name to mention it by, after the @. */
  slug: string;
  provider: Provider;
  /** The provider's name for it; null for the built-in agent. */
  model: string | null;
  creditsPer1kTokens: number;
  /** If they differ. `creditsPer1kTokens` is the higher one. */
  creditsPerMillion?: { input: number; output: number };
  /** True if it takes pictures. */
  vision?: true;
}

/** Only these fields, because the configuration contains the key. */
export function infoOf(config: ModelConfig): ModelInfo {
  const { slug, provider, model, creditsPer1kTokens, creditsPerMillion, vision } = config;
  return {
    slug,
    provider,
    model,
    creditsPer1kTokens,
    ...(creditsPerMillion && { creditsPerMillion }),
    ...(vision && { vision }),
  };
}

export interface Prompt {
  instructions: string;
  messages: PromptMessage[];
}

export interface PromptMessage {
  role: 'user' | 'assistant';
  content: string;
  /** After the text of a user's message, for models with `vision`. */
  images?: readonly PromptImage[];
}

export interface PromptImage {
  mediaType: string;
  bytes: Uint8Array;
}

export interface Tool {
  name: string;
  description: string;
  /** A JSON Schema. */
  inputSchema: object;
  /** The input is not validated. If it throws, the model gets the error's message. */
  run(input: unknown, signal: AbortSignal): Promise<string>;
}

/** Sees an answer while it is written. What `generate` returns is the answer; this is only a view of it. */
export interface AnswerWatcher {
  /** More of the answer, in pieces of any size. A piece may end with half a character. */
  onText(delta: string): void;
  /** What was written is void: the provider is asked again, or the model starts over after using tools. */
  onRestart(): void;
}

export interface GenerateOptions {
  /** For all steps together, if there are tools. */
  maxOutputTokens: number;
  /** A TimeoutError as its reason becomes a ModelFailure `timeout`. Any other reason is thrown unchanged. */
  signal: AbortSignal;
  tools?: readonly Tool[];
  /** In total, and so in at most as many rounds. After that the model must answer. Default: 8. */
  maxToolCalls?: number;
  /** By performance.now(). No retry starts after it. */
  endsAt?: number;
  /**
   * Called before each step with the most tokens that all steps so far, this one and a final answer can use.
   * If it returns false, the credits do not cover the step and it is not taken. Default: always true.
   */
  cover?: (mostTokens: number) => boolean | Promise<boolean>;
  /** Told after each step what all of them have used: if a later one fails, nothing else says so. */
  spent?: (tokens: number) => void;
  watcher?: AnswerWatcher;
  /** When aborted, what was written until then is the answer. */
  stop?: AbortSignal;
}

export interface Generated {
  /** Well-formed, trimmed, 20,000 characters at most. Empty only if `isStopped`. */
  text: string;
  /** Of all steps, as counted by the provider, or estimated if it does not count them. */
  inputTokens: number;
  outputTokens: number;
  /** The answer was longer than the maximum and was truncated. */
  truncated: boolean;
  /** It was stopped before it was complete. */
  isStopped?: true;
}

export interface LanguageModel extends ModelInfo {
  generate(prompt: Prompt, options: GenerateOptions): Promise<Generated>;
}

export interface ModelRegistry {
  /** The first configured model, or the built-in agent if there is none. */
  readonly defaultSlug: string;
  /** False if there is only the built-in agent. */
  readonly hasModels: boolean;
  /** The built-in agent is last. */
  list(): ModelInfo[];
  /** Ignores case. Slugs are lower case. */
  find(slug: string): ModelInfo | undefined;
  /** Undefined for the built-in agent, which has no model, and for an unknown slug. */
  load(slug: string): Promise<LanguageModel | undefined>;
}

/** What is needed to ask a provider which models it has. */
export type ProviderAccess = Pick<ModelConfig, 'provider' | 'baseUrl' | 'apiKey'>;

/** A model that a provider offers. */
export interface OfferedModel {
  /** The provider's name for it. */
  model: string;
  /** As it is shown to people, if the provider says so. */
  displayName: string | null;
  /** Whether the provider says that it takes images. Many say nothing. */
  vision: boolean;
}

/** Providers at addresses that somebody entered in the browser. Every call goes through the guard. */
export interface ProviderClients {
  /** Resolves the address, without connecting. */
  check(baseUrl: string): Promise<CheckResult>;
  open(config: ModelConfig): Promise<LanguageModel>;
  /** Fails with a ModelFailure. */
  listModels(access: ProviderAccess, signal: AbortSignal): Promise<OfferedModel[]>;
  close(): Promise<void>;
}

/** The credits do not even cover an answer without tools. */
export class NotCovered extends Error {}

export type FailureCode =
  /** The provider is unreachable, rejected the key or the request, or closed the connection. */
  | 'provider_error'
  | 'rate_limited'
  | 'timeout'
  | 'empty_answer'
  /** By the provider's content filter. */
  | 'refused';

/** Why a reply failed, for people to read. Never contains a key, or the provider's URL, headers or body. */
export class ModelFailure extends Error {
  readonly code: FailureCode;
  /** The provider found something wrong with the request, such as tools that its model does not take. */
  readonly isRejected: boolean;
  /** Private, so that no log or reply contains it by accident. */
  readonly #said: string | undefined;

  constructor(code: FailureCode, message: string, said?: string, isRejected = false) {
    super(message);
    this.name = 'ModelFailure';
    this.code = code;
    this.isRejected = isRejected;
    this.#said = said;
  }

  /** What a provider that an OWNER added said itself, for the OWNER. */
  get said(): string | undefined {
    return this.#said;
  }
}
