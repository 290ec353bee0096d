import type { LanguageModelUsage } from 'ai';
import type { Prompt, Tool } from './model.ts';
import { countOf, estimateTokens } from './tokens.ts';

/** What of a step of the SDK is counted. */
export interface CountedStep {
  usage: Pick<LanguageModelUsage, 'inputTokens' | 'outputTokens'>;
  text: string;
  reasoningText?: string | undefined;
  toolCalls: readonly { input: unknown }[];
  toolResults: readonly { output: unknown }[];
}

export interface Tally {
  readonly inputTokens: number;
  readonly outputTokens: number;
  add(step: CountedStep): void;
  /** A step that we ended, of which the provider gives no account. */
  addCut(text: string): void;
}

/** The tokens of all steps: each sends the prompt again, with what the steps before it added. */
export function createTally(prompt: Prompt, tools: readonly Tool[] = []): Tally {
  let context = [
    prompt.instructions,
    ...prompt.messages.map(({ content }) => content),
    ...tools.map(({ name, description, inputSchema }) => write({ name, description, inputSchema })),
  ].reduce((sum, text) => sum + estimateTokens(text), 0);
  let inputTokens = 0;
  let outputTokens = 0;
  return {
    get inputTokens() {
      return inputTokens;
    },
    get outputTokens() {
      return outputTokens;
    },
    add({ usage, text, reasoningText = '', toolCalls, toolResults }) {
      const said = estimateTokens(text) + estimateTokens(toolCalls.map(write).join(''));
      inputTokens += countOf(usage.inputTokens) ?? context;
      outputTokens += countOf(usage.outputTokens) ?? said + estimateTokens(reasoningText);
      context += said + estimateTokens(toolResults.map(write).join(''));
    },
    addCut(text) {
      inputTokens += context;
      outputTokens += estimateTokens(text);
    },
  };
}

function write(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
