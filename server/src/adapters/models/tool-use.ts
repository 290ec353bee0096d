import { jsonSchema, type ToolModelMessage, type ToolSet } from 'ai';
import { cleanJson, cleanText } from './answer-text.ts';
import type { GenerateOptions, Tool } from './model.ts';

const MAX_TOOL_CALLS = 8;

/** A tool call requested by the model. */
export interface ToolCall {
  id: string;
  name: string;
  input: unknown;
  /** The tool does not exist, or its input is not JSON. */
  isInvalid: boolean;
}

export interface ToolResult {
  call: Pick<ToolCall, 'id' | 'name'>;
  text: string;
  isError: boolean;
}

export function createToolUse(options: GenerateOptions) {
  const { tools = [], maxToolCalls = MAX_TOOL_CALLS, maxOutputTokens, signal } = options;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  let calls = 0;

  async function answer({ name, input, isInvalid }: ToolCall): Promise<string> {
    const tool = byName.get(name);
    if (isInvalid || !tool) {
      throw new Error(
        `'${name}' cannot be called: the tool does not exist, or its input is invalid.`,
      );
    }
    calls++;
    if (calls > maxToolCalls) throw new Error('No more tool calls are allowed: answer now.');
    return cleanText(await tool.run(cleanJson(input), signal));
  }

  async function runOne(call: ToolCall): Promise<ToolResult> {
    try {
      return { call, text: await answer(call), isError: false };
    } catch (error) {
      const message = error instanceof Error ? error.message : 'It failed.';
      return { call, text: cleanText(message), isError: true };
    }
  }

  return {
    /** Without `execute`: the SDK would run tools before the step has ended. */
    tools: tools.length === 0 ? undefined : Object.fromEntries(tools.map(toSdkTool)),
    /**
     * The model must answer now: it has used up its calls, its steps or most of its tokens. A request for a tool
     * that does not exist is not a call, so steps are limited separately.
     */
    isOver: (stepNumber: number, tokensLeft: number) =>
      calls >= maxToolCalls || stepNumber >= maxToolCalls || tokensLeft < maxOutputTokens / 4,
    /** Runs a step's calls: at most `maxToolCalls` in total, however many the model requests at once. */
    run: (asked: readonly ToolCall[]) => Promise.all(asked.map(runOne)),
  };
}

function toSdkTool({ name, description, inputSchema }: Tool): [string, ToolSet[string]] {
  return [name, { description, inputSchema: jsonSchema(inputSchema) }];
}

export function toolMessage(results: readonly ToolResult[]): ToolModelMessage {
  return {
    role: 'tool',
    content: results.map(({ call, text, isError }) => ({
      type: 'tool-result',
      toolCallId: call.id,
      toolName: call.name,
      output: { type: isError ? 'error-text' : 'text', value: text },
    })),
  };
}

/** Truncates the results to this many bytes in total. */
export function shortenResults(results: readonly ToolResult[], bytes: number): ToolResult[] {
  const share = Math.floor(bytes / results.length);
  return results.map((result) => ({ ...result, text: firstBytes(result.text, share) }));
}

const CUT = ' …';

function firstBytes(text: string, bytes: number): string {
  const all = Buffer.from(text);
  if (all.length <= bytes) return text;
  const kept = all.subarray(0, Math.max(0, bytes - Buffer.byteLength(CUT))).toString();
  // A character that was cut in two decodes as U+FFFD.
  return kept.replace(/\ufffd+$/, '') + CUT;
}
