import type { Prompt, Tool } from './model.ts';
import { countOf, estimateTokens, IMAGE_TOKENS, mostTokens } from './tokens.ts';
import type { Step } from './step.ts';
import type { ToolResult } from './tool-use.ts';

/** The overhead per message or result. */
const FRAME_TOKENS = 16;
/** The overhead per prompt, including some providers' instructions for using tools. */
const PROMPT_FRAME_TOKENS = 100;
const TOOLS_FRAME_TOKENS = 1_000;

/** The tokens of all steps. Each step sends the prompt again, with what earlier steps added. */
export function createTally(prompt: Prompt, tools: readonly Tool[] = []) {
  const texts = [
    prompt.instructions,
    ...prompt.messages.map(({ content }) => content),
    ...tools.map(({ name, description, inputSchema }) => write({ name, description, inputSchema })),
  ];
  const images = sum(prompt.messages.map((message) => message.images?.length ?? 0));
  let context = sum(texts.map(estimateTokens)) + images * IMAGE_TOKENS.usual;
  let mostInput =
    sum(texts.map((text) => mostTokens(text) + FRAME_TOKENS)) +
    images * IMAGE_TOKENS.most +
    PROMPT_FRAME_TOKENS +
    (tools.length > 0 ? TOOLS_FRAME_TOKENS : 0);
  let inputTokens = 0;
  let outputTokens = 0;
  return {
    get inputTokens() {
      return inputTokens;
    },
    get outputTokens() {
      return outputTokens;
    },
    get total() {
      return inputTokens + outputTokens;
    },
    /** The most that a provider can count for the next step's prompt, without the results it adds. */
    get mostInput() {
      return mostInput;
    },
    add({ usage, text, reasoningText, toolCalls }: Step, maxOutputTokens: number) {
      const said = estimateTokens(text) + estimateTokens(toolCalls.map(write).join(''));
      const output = countOf(usage.outputTokens) ?? said + estimateTokens(reasoningText);
      inputTokens += countOf(usage.inputTokens) ?? context;
      outputTokens += output;
      context += said;
      // Sent back, it has as many tokens as it was generated with.
      mostInput += Math.min(Math.max(output, said), maxOutputTokens) + FRAME_TOKENS;
    },
    /** A step that was stopped early, for which the provider reports no usage. */
    addCut(text: string) {
      inputTokens += context;
      outputTokens += estimateTokens(text);
    },
    /** Sent to the model with the next step. */
    addResults(results: readonly ToolResult[]) {
      context += sum(results.map(({ text }) => estimateTokens(text)));
      mostInput += mostOfResults(results);
    },
  };
}

export function mostOfResults(results: readonly ToolResult[]): number {
  return sum(results.map(({ text }) => mostTokens(text) + FRAME_TOKENS));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function write(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
