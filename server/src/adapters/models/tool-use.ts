import { dynamicTool, isStepCount, jsonSchema, type ToolSet } from 'ai';
import { cleanJson, cleanText } from './answer-text.ts';
import type { GenerateOptions, Tool } from './model.ts';

const MAX_TOOL_CALLS = 8;

export interface ToolUse {
  settings: { tools?: ToolSet; stopWhen: ReturnType<typeof isStepCount> };
  /** The model has to answer now: it has had its calls, its steps, or most of its tokens. */
  isOver(stepNumber: number, tokensLeft: number): boolean;
}

/** Our tools as the SDK's, which run `maxToolCalls` times in all, however many the model asks for at once. */
export function createToolUse(options: GenerateOptions, signal: AbortSignal): ToolUse {
  const { tools = [], maxToolCalls = MAX_TOOL_CALLS, maxOutputTokens } = options;
  if (tools.length === 0) return { settings: { stopWhen: isStepCount(1) }, isOver: () => false };
  let calls = 0;

  async function run(tool: Tool, input: unknown): Promise<string> {
    calls++;
    if (calls > maxToolCalls) throw new Error('No tool can be used any more: answer now.');
    return cleanText(await tool.run(cleanJson(input), signal));
  }

  const sdkTools = tools.map((tool) => {
    const { name, description, inputSchema } = tool;
    const execute = (input: unknown) => run(tool, input);
    return [name, dynamicTool({ description, inputSchema: jsonSchema(inputSchema), execute })];
  });
  return {
    // A step may ask for tools that are not there, which is no call: steps have a bound of their own.
    settings: { tools: Object.fromEntries(sdkTools), stopWhen: isStepCount(maxToolCalls + 1) },
    isOver: (stepNumber, tokensLeft) =>
      calls >= maxToolCalls || stepNumber >= maxToolCalls || tokensLeft < maxOutputTokens / 4,
  };
}
