import type { ModelConfig } from '../../config/models.ts';

export type Provider = 'builtin' | ModelConfig['provider'];

export interface ModelInfo {
  /** What people type after the @. */
  slug: string;
  provider: Provider;
  /** The provider's own name; null for the built-in. */
  model: string | null;
  creditsPer1kTokens: number;
}

export interface Prompt {
  instructions: string;
  messages: { role: 'user' | 'assistant'; content: string }[];
}

export interface Tool {
  name: string;
  description: string;
  /** A JSON Schema. */
  inputSchema: object;
  /** The input is not checked against the schema. The message of what it throws is told to the model. */
  run(input: unknown, signal: AbortSignal): Promise<string>;
}

export interface GenerateOptions {
  /** Of all steps together, where there are tools. */
  maxOutputTokens: number;
  /** A TimeoutError as its reason becomes a ModelFailure `timeout`; any other reason is thrown as it is. */
  signal: AbortSignal;
  tools?: readonly Tool[];
  /** In all. Then the model has to answer with what it has. 8 unless told. */
  maxToolCalls?: number;
  /** By performance.now(). The provider is not asked again if that could only be done later. */
  endsAt?: number;
  /**
   * Called before each step with the most tokens that all steps up to it can come to, and what an answer
   * after it can. False where that cannot be paid: the step is not taken. Everything is paid unless given.
   */
  cover?: (mostTokens: number) => boolean | Promise<boolean>;
}

export interface Generated {
  /** Well-formed, trimmed, never empty, 20,000 characters at most. */
  text: string;
  /** Of all steps, as the provider counts them; estimated where it does not. */
  inputTokens: number;
  outputTokens: number;
  /** The answer was cut at the longest we take. */
  truncated: boolean;
}

export interface LanguageModel extends ModelInfo {
  generate(prompt: Prompt, options: GenerateOptions): Promise<Generated>;
}

export interface ModelRegistry {
  /** Of the first configured model, else the built-in. */
  readonly defaultSlug: string;
  /** The built-in is last. */
  list(): ModelInfo[];
  /** Slugs are lower case; a mention in capitals finds its model too. */
  find(slug: string): ModelInfo | undefined;
  /** Undefined for the built-in, which has no model behind it, and for a slug that is not there. */
  load(slug: string): Promise<LanguageModel | undefined>;
}

/** Not even an answer without tools was covered. */
export class NotCovered extends Error {}

export type FailureCode =
  /** The provider is out of reach, refuses the key or the request, or broke off. */
  | 'provider_error'
  | 'rate_limited'
  | 'timeout'
  | 'empty_answer'
  /** By the provider's content filter. */
  | 'refused';

/** A reply that could not be made, in words a person may read: never a key, URL, header or body of the provider. */
export class ModelFailure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string) {
    super(message);
    this.name = 'ModelFailure';
    this.code = code;
  }
}
