import type { FinishReason, ModelMessage } from 'ai';
import { cleanText } from './answer-text.ts';
import { NotCovered, type GenerateOptions, type Generated, type Prompt } from './model.ts';
import type { Step, StepRequest } from './step.ts';
import { createTally, mostOfResults } from './tally.ts';
import { createToolUse, shortenResults, toolMessage, type ToolResult } from './tool-use.ts';
import type { Writing } from './writing.ts';

export interface Answer extends Omit<Generated, 'text' | 'truncated' | 'isStopped'> {
  /** Empty if the model returned no text. */
  answer: string;
  finish: FinishReason | 'stopped';
}

/** Asks the model, runs the tools it calls, and repeats until it answers. */
export async function runSteps(
  ask: (request: StepRequest) => Promise<Step>,
  prompt: Prompt,
  options: GenerateOptions & { writing: Writing },
): Promise<Answer> {
  const { maxOutputTokens, signal, stop, writing, cover = () => true } = options;
  const tally = createTally(prompt, options.tools);
  const toolUse = createToolUse(options);
  const messages = messagesOf(prompt);
  let results: ToolResult[] = [];
  let said = '';
  let used = 0;
  const end = (answer: string, finish: Answer['finish']) => {
    const { inputTokens, outputTokens } = tally;
    return { answer, finish, inputTokens, outputTokens };
  };
  for (let stepNumber = 0; ; stepNumber++) {
    signal.throwIfAborted();
    if (stop?.aborted) return end(said, 'stopped');
    const tokensLeft = Math.max(1, maxOutputTokens - tally.outputTokens);
    const plan = await planStep({
      most: tally.mostInput + tokensLeft,
      results,
      isFirst: stepNumber === 0,
      isLast: !toolUse.tools || toolUse.isOver(stepNumber, tokensLeft),
      covers: (mostTokens) => cover(used + mostTokens),
    });
    if (plan.results.length > 0) messages.push(toolMessage(plan.results));
    tally.addResults(plan.results);
    const most = tally.mostInput + tokensLeft;
    const before = tally.total;
    const asking = ask({
      instructions: cleanText(prompt.instructions),
      messages,
      tools: toolUse.tools,
      mayUseTools: plan.mayUseTools,
      maxOutputTokens: tokensLeft,
    });
    const step = await unlessStopped(stop, asking);
    if (step === STOPPED) {
      tally.addCut(writing.stepText);
      return end(writing.stepText || said, 'stopped');
    }
    if (step.isCut) tally.addCut(step.text);
    else tally.add(step, tokensLeft);
    // Tokens beyond the most that a step can use are not paid.
    used += Math.min(most, tally.total - before);
    options.spent?.(used);
    // A model may answer, call one more tool, and then add nothing.
    said = step.text || said;
    if (!plan.mayUseTools || step.toolCalls.length === 0) return end(said, step.finish);
    messages.push(...step.messages);
    const ran = await unlessStopped(stop, toolUse.run(step.toolCalls));
    if (ran === STOPPED) return end(said, 'stopped');
    results = ran;
  }
}

const STOPPED = Symbol('stopped');

/** Leaves work that is still running when the stop comes. Its caller aborts it. */
async function unlessStopped<T>(
  stop: AbortSignal | undefined,
  work: Promise<T>,
): Promise<T | typeof STOPPED> {
  if (!stop) return work;
  const { promise, resolve } = Promise.withResolvers<typeof STOPPED>();
  const onStop = () => resolve(STOPPED);
  stop.addEventListener('abort', onStop, { once: true });
  if (stop.aborted) onStop();
  try {
    return await Promise.race([work, promise]);
  } finally {
    stop.removeEventListener('abort', onStop);
  }
}

/** Reserved for tool results, so that the answer after them is always covered. */
const RESULTS_ROOM = 4_000;
const FRAMES_ROOM = 1_000;

interface Situation {
  /** Of the step, without the previous step's results. */
  most: number;
  results: ToolResult[];
  isFirst: boolean;
  isLast: boolean;
  covers: (mostTokens: number) => boolean | Promise<boolean>;
}

/**
 * A step that may use tools is taken if the credits cover it and an answer after it. Otherwise the model
 * answers now, with all tool results, or with as much of them as the reservation covers.
 */
async function planStep({ most, results, isFirst, isLast, covers }: Situation) {
  const whole = most + mostOfResults(results);
  if (!isLast) {
    if (await covers(2 * whole + RESULTS_ROOM + FRAMES_ROOM)) return { mayUseTools: true, results };
    if (isFirst) throw new NotCovered();
  }
  if (await covers(whole)) return { mayUseTools: false, results };
  if (results.length === 0) throw new NotCovered();
  const shortened = shortenResults(results, RESULTS_ROOM);
  if (!(await covers(most + mostOfResults(shortened)))) throw new NotCovered();
  return { mayUseTools: false, results: shortened };
}

/** Removes empty messages, which some providers reject, and lone surrogates, which all do. */
function messagesOf({ messages }: Prompt): ModelMessage[] {
  return messages
    .filter(({ content }) => content.trim() !== '')
    .map((message) => {
      const { role, images = [] } = message;
      const content = cleanText(message.content);
      if (role === 'assistant' || images.length === 0) return { role, content };
      const pictures = images.map(({ mediaType, bytes }) => ({
        type: 'file' as const,
        mediaType,
        data: bytes,
      }));
      return { role, content: [{ type: 'text', text: content }, ...pictures] };
    });
}
