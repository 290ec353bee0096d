import type {
  CallToolResult,
  Tool as ListedTool,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { RateLimiter } from '../../../adapters/rate-limiter/limiter.ts';
import type { UserContext } from '../../../context.ts';
import { requireScope } from '../../../http/access.ts';
import { takeSlotOf } from '../../../http/rate-limit.ts';
import { readArguments } from '../../../http/request-input.ts';
import { toAppError, withLocations } from './errors.ts';
import { inputSchema, outputSchema } from './json-schema.ts';

interface ToolDefinition<I extends z.ZodType, O extends z.ZodType> {
  name: string;
  title: string;
  description: string;
  scope: string;
  /** Calls a minute, for each key. */
  quota: number;
  annotations: Required<Omit<ToolAnnotations, 'title'>>;
  input: I;
  output: O;
  run(ctx: UserContext, input: z.output<I>): Promise<z.input<O>>;
}

export interface Tool extends Omit<ToolDefinition<z.ZodType, z.ZodType>, 'run'> {
  run(ctx: UserContext, input: unknown): Promise<unknown>;
}

export function defineTool<I extends z.ZodType, O extends z.ZodType>(
  tool: ToolDefinition<I, O>,
): Tool {
  return tool;
}

export function listTool({
  name,
  title,
  description,
  annotations,
  input,
  output,
}: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(input),
    outputSchema: outputSchema(output),
    annotations: { title, ...annotations },
  };
}

export interface ToolCalls {
  limiter: RateLimiter;
  /** Checks each answer against its schema; the tests run with it. */
  checkResponses: boolean;
}

/** Quota, scope, arguments, service: the order of the HTTP operations. Never throws. */
export async function callTool(
  { limiter, checkResponses }: ToolCalls,
  ctx: UserContext,
  tool: Tool,
  given: unknown,
): Promise<CallToolResult> {
  const { name, quota, scope } = tool;
  try {
    const bucket = `${ctx.actor.keyId}:mcp:${name}`;
    await takeSlotOf(limiter, { bucket, limit: quota, kind: `${name} call` });
    requireScope(ctx.actor, scope);
    const data = await tool.run(ctx, readArguments(tool.input, given ?? {}));
    if (checkResponses) tool.output.parse(data);
    return {
      content: [{ type: 'text', text: JSON.stringify(data, null, 2) }],
      structuredContent: data as Record<string, unknown>,
    };
  } catch (error) {
    return refusal(ctx, name, error);
  }
}

function refusal(ctx: UserContext, name: string, thrown: unknown): CallToolResult {
  const error = withLocations(toAppError(ctx, thrown, { tool: name }));
  const { code, message, details, retryAfterSeconds } = error;
  return {
    isError: true,
    content: [{ type: 'text', text: readable(code, message, details) }],
    structuredContent: {
      error: {
        code,
        message,
        details,
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
        ...(code === 'INTERNAL_ERROR' && { requestId: ctx.requestId }),
      },
    },
  };
}

/** For the model: everything that it has to mend. */
function readable(code: string, message: string, details: Record<string, unknown>): string {
  const { errors } = details as { errors?: { location: string; message: string }[] };
  if (!errors || errors.length < 2) return `${code}: ${message}`;
  return [`${code}:`, ...errors.map((error) => `- ${error.location}: ${error.message}`)].join('\n');
}
