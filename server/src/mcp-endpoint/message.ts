import type { Tool } from './tool.ts';

/** The most values in a message besides a tool's arguments: ten times what clients send. */
const MAX_VALUES = 500;

interface CallMessage {
  id?: unknown;
  method?: unknown;
  params?: { name?: unknown; arguments?: unknown };
}

/** A message for the protocol's library, and a tool's arguments, which are validated here. */
export interface ReadMessage {
  /** The called tool. Each tool has its own quota. */
  tool: Tool | undefined;
  given: unknown;
  /** Without the arguments: the library reads a message several times and builds an error per invalid value. */
  rest: unknown;
  isTooLarge: boolean;
}

export function readMessage(message: unknown, tools: ReadonlyMap<string, Tool>): ReadMessage {
  const tool = calledTool(message, tools);
  const { given, rest } = tool
    ? withoutArguments(message as CallMessage)
    : { given: undefined, rest: message };
  return { tool, given, rest, isTooLarge: countValues(rest, MAX_VALUES) > MAX_VALUES };
}

/** A message without an id is a notification, which cannot call a tool. */
function calledTool(message: unknown, tools: ReadonlyMap<string, Tool>): Tool | undefined {
  const { id, method, params } = (message ?? {}) as CallMessage;
  if (method !== 'tools/call' || (typeof id !== 'string' && typeof id !== 'number')) {
    return undefined;
  }
  const { name } = params ?? {};
  return typeof name === 'string' ? tools.get(name) : undefined;
}

function withoutArguments(message: CallMessage): { given: unknown; rest: CallMessage } {
  const { arguments: given, ...params } = message.params ?? {};
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  if (!isObject) return { given, rest: message };
  return { given, rest: { ...message, params: { ...params, arguments: {} } } };
}

/** Stops soon after `enough`. */
function countValues(value: unknown, enough: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const inner of Object.values(value)) {
    if (count > enough) break;
    count += countValues(inner, enough - count);
  }
  return count;
}
