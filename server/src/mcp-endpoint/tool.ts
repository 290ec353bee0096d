import type {
  CallToolResult,
  Tool as ListedTool,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { RateLimiter } from '../adapters/rate-limiter/limiter.ts';
import type { Role, UserContext } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import { requireRole, requireScope } from '../http/callers/access.ts';
import { takeSlotOf } from '../http/callers/rate-limit.ts';
import { readArguments } from '../http/input/request-input.ts';
import { scopesOf } from '../http/route.ts';
import type { Asker } from './asker.ts';
import { toAppError, withLocations } from './errors.ts';
import { inputSchema, outputSchema } from './json-schema.ts';

interface ToolDefinition<I extends z.ZodType, O extends z.ZodType, Prepared> {
  name: string;
  title: string;
  description: string;
  scope: string;
  /** As a route's. */
  moreScopes?: readonly string[];
  roles?: readonly Role[];
  /** Calls per minute and key. */
  quota: number;
  annotations: Required<Omit<ToolAnnotations, 'title'>>;
  input: I;
  output: O;
  /** The slow part, like a route's `prepare`. */
  prepare?(ctx: UserContext, input: z.output<I>): Promise<Prepared>;
  run(ctx: UserContext, input: z.output<I>, prepared: Prepared): Promise<z.input<O>>;
}

export interface Tool extends Omit<
  ToolDefinition<z.ZodType, z.ZodType, unknown>,
  'prepare' | 'run'
> {
  prepare?(ctx: UserContext, input: unknown): Promise<unknown>;
  run(ctx: UserContext, input: unknown, prepared: unknown): Promise<unknown>;
}

export function defineMcpTool<I extends z.ZodType, O extends z.ZodType, Prepared>(
  tool: ToolDefinition<I, O, Prepared>,
): Tool {
  return tool;
}

export function listTool({ name, title, description, ...tool }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(tool.input),
    outputSchema: outputSchema(tool.output),
    annotations: { title, ...tool.annotations },
  };
}

/** A tool call as the endpoint reads it. The quota is counted before the arguments are validated. */
export interface ToolCall {
  tool: Tool;
  given: unknown;
  /** Set if the quota is used up. */
  refused: AppError | undefined;
}

export async function takeQuota(
  limiter: RateLimiter,
  keyId: string | null,
  { name, quota }: Tool,
): Promise<AppError | undefined> {
  const allowance = { bucket: `${keyId}:mcp:${name}`, limit: quota, kind: `${name} call` };
  try {
    await takeSlotOf(limiter, allowance);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Checks quota, role, scope and arguments, then calls the service, in the order of the HTTP API. Never throws. */
export async function callTool(
  asker: Asker,
  { tool, given, refused }: ToolCall,
): Promise<CallToolResult> {
  const { name } = tool;
  const requireAccess = ({ actor }: UserContext) => {
    if (tool.roles) requireRole(actor, tool.roles);
    for (const scope of scopesOf(tool)) requireScope(actor, scope);
  };
  try {
    if (refused) throw refused;
    requireAccess(await asker.current());
    const input = readArguments(tool.input, given ?? {});
    const prepared = await asker.prepare(async (ctx) => tool.prepare?.(ctx, input));
    const data = await asker.run(async (ctx) => {
      requireAccess(ctx);
      return tool.run(ctx, input, prepared);
    });
    if (asker.checkResponses) tool.output.parse(data);
    return {
      content: [{ type: 'text', text: JSON.stringify(data, null, 2) }],
      structuredContent: data as Record<string, unknown>,
    };
  } catch (error) {
    return refusal(asker, name, error);
  }
}

function refusal(asker: Asker, name: string, thrown: unknown): CallToolResult {
  const error = withLocations(toAppError(asker, thrown, { tool: name }));
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
        ...(code === 'INTERNAL_ERROR' && { requestId: asker.requestId }),
      },
    },
  };
}

/** Tells the model everything it has to fix. */
function readable(code: string, message: string, details: Record<string, unknown>): string {
  const { errors } = details as { errors?: { location: string; message: string }[] };
  if (!errors || errors.length < 2) return `${code}: ${message}`;
  return [`${code}:`, ...errors.map((error) => `- ${error.location}: ${error.message}`)].join('\n');
}
