import {
  streamText,
  ToolChoiceViolationError,
  type FinishReason,
  type LanguageModelUsage,
  type ModelMessage,
  type ToolSet,
} from 'ai';
import { AnswerText } from './answer-text.ts';
import { ProviderFailure } from './provider-failure.ts';
import type { ProviderModel } from './provider-prompt.ts';
import type { ToolCall } from './tool-use.ts';

export interface StepRequest {
  instructions: string;
  messages: readonly ModelMessage[];
  tools: ToolSet | undefined;
  mayUseTools: boolean;
  maxOutputTokens: number;
}

/** One complete response from the provider. */
export interface Step {
  text: string;
  reasoningText: string;
  /** The text is too long, and the rest was not read. */
  isCut: boolean;
  finish: FinishReason;
  usage: Pick<LanguageModelUsage, 'inputTokens' | 'outputTokens'>;
  toolCalls: ToolCall[];
  /** The same, to send back with the next step. */
  messages: ModelMessage[];
}

/** One request. An incomplete response has no effect, so it can be retried. */
export async function askForStep(
  model: ProviderModel,
  { instructions, messages, tools, mayUseTools, maxOutputTokens }: StepRequest,
  signal: AbortSignal,
  onText: (delta: string) => void,
): Promise<Step> {
  const over = new AbortController();
  try {
    const result = streamText({
      model,
      ...(instructions.trim() !== '' && { instructions }),
      messages: [...messages],
      ...(tools && { tools, toolChoice: mayUseTools ? 'auto' : 'none' }),
      maxOutputTokens,
      abortSignal: AbortSignal.any([signal, over.signal]),
      maxRetries: 0,
      // Without it, errors are printed to the console.
      onError: () => {},
      telemetry: { isEnabled: false },
    });
    const { text, finish } = await readText(result.stream, onText);
    if (finish === 'cut') return cutStep(text);
    const { reasoningText = '', usage, toolCalls, response } = await result.finalStep;
    return {
      text,
      reasoningText,
      isCut: false,
      finish,
      usage,
      toolCalls: toolCalls.map(({ toolCallId: id, toolName: name, input, ...call }) => ({
        id,
        name,
        input,
        isInvalid: 'invalid' in call && call.invalid === true,
      })),
      // Failed calls are reported elsewhere.
      messages: response.messages.filter(({ role }) => role === 'assistant'),
    };
  } finally {
    // Closes a response that was truncated or that failed.
    over.abort();
  }
}

type Parts = ReturnType<typeof streamText>['stream'];

async function readText(
  parts: Parts,
  onText: (delta: string) => void,
): Promise<{ text: string; finish: FinishReason | 'cut' }> {
  const text = new AnswerText();
  let finish: FinishReason | undefined;
  for await (const part of parts) {
    if (part.type === 'text-delta') {
      text.add(part.text);
      onText(part.text);
      if (text.isFull) return { text: text.toString(), finish: 'cut' };
    }
    if (part.type === 'finish-step') finish = part.finishReason;
    // Tool calls that are not allowed are ignored. The step then counts as an empty answer.
    if (part.type === 'error' && !ToolChoiceViolationError.isInstance(part.error)) throw part.error;
  }
  if (finish === undefined || finish === 'interrupted') throw new ProviderFailure('broken');
  return { text: text.toString(), finish };
}

function cutStep(text: string): Step {
  const usage = { inputTokens: undefined, outputTokens: undefined };
  return {
    text,
    reasoningText: '',
    isCut: true,
    finish: 'length',
    usage,
    toolCalls: [],
    messages: [],
  };
}
