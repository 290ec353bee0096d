import { McpFailure, type RemoteTool } from '../../adapters/mcp/mcp-client.ts';
import type { Tool } from '../../adapters/models/model.ts';
import type { Context } from '../../context.ts';
import { connectTo, findMentioned } from '../mcp/service.ts';
import type { Question, ToolCall } from '../messages/replies/service.ts';

export interface OpenTools {
  tools: Tool[];
  /** Grows while the model works. */
  calls: ToolCall[];
  close(): void;
}

export const MOST_TOOL_CALLS = 8;

/** The message keeps this much of a call's arguments and result. */
const LONGEST_KEPT = 2_000;

/**
 * The tools of the mentioned MCP server. Undefined if it does not serve the Project any more; throws an
 * McpFailure if it cannot be used.
 */
export async function openTools(
  ctx: Context,
  question: Question,
  mentionSlug: string,
  signal: AbortSignal,
): Promise<OpenTools | undefined> {
  const server = await findMentioned(ctx, question.projectId, mentionSlug);
  if (!server) return undefined;
  const connection = await connectTo(ctx, server, signal);
  try {
    const remote = await connection.listTools(signal);
    if (remote.length === 0) throw new McpFailure('no_tools', 'it has no tools');
    const calls: ToolCall[] = [];
    const names = new Set<string>();
    const tools = remote.map((tool) => ({
      name: uniqueName(tool.name, names),
      description: tool.description,
      inputSchema: tool.inputSchema,
      run: (input: unknown, runSignal: AbortSignal) =>
        recorded(calls, { server: mentionSlug, tool, input }, async () => {
          // The server may have been removed or bound to other Projects since the run started.
          const current = await findMentioned(ctx, question.projectId, mentionSlug);
          if (current?.id !== server.id) {
            throw new McpFailure('refused', 'this server cannot be used here any more');
          }
          return connection.callTool(tool, input, runSignal);
        }),
    }));
    return { tools, calls, close: () => connection.close() };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Records the result of a call and returns it for the model. */
async function recorded(
  calls: ToolCall[],
  { server, tool, input }: { server: string; tool: RemoteTool; input: unknown },
  call: () => Promise<{ text: string; isError: boolean }>,
): Promise<string> {
  const startedAt = performance.now();
  const { text, isError } = await call().catch((error: unknown) => {
    if (error instanceof McpFailure) return { text: error.message, isError: true };
    throw error;
  });
  calls.push({
    server,
    name: tool.name,
    arguments: keepInput(input),
    result: keep(text),
    isError,
    latencyMs: Math.round(performance.now() - startedAt),
  });
  return asData(text, isError);
}

/** Models accept up to 64 letters, digits, `_` and `-`. Names are unique. */
function uniqueName(name: string, taken: Set<string>): string {
  const base = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 58);
  let unique = base;
  for (let number = 2; taken.has(unique); number++) unique = `${base}_${number}`;
  taken.add(unique);
  return unique;
}

/** Results are data: nothing in them can close the tag. */
function asData(result: string, isError: boolean): string {
  const escaped = result.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<tool_result${isError ? ' failed="true"' : ''}>\n${escaped}\n</tool_result>`;
}

function keep(text: string): string {
  return text.length <= LONGEST_KEPT ? text : `${text.slice(0, LONGEST_KEPT).toWellFormed()} …`;
}

/** The model's input was already cleaned, so the database accepts it. */
function keepInput(input: unknown): unknown {
  const written = JSON.stringify(input) ?? 'null';
  return written.length <= LONGEST_KEPT ? (JSON.parse(written) as unknown) : keep(written);
}
