import {
  McpFailure,
  type McpConnection,
  type RemoteTool,
  type ToolResult,
} from '../../adapters/mcp/mcp-client.ts';
import type { Context } from '../../core/context.ts';
import { connectTo } from './connection.ts';
import { findServingServer, type McpServerRow } from './store.ts';

/** A tool that can be called. A call that fails returns the reason, so that the model can react to it. */
export interface ServerTool extends RemoteTool {
  call(input: unknown, signal: AbortSignal): Promise<ToolResult>;
}

export interface OpenServer {
  tools: ServerTool[];
  close(): void;
}

/** Connects to a server on behalf of a Project. Throws an McpFailure if it cannot be used. */
export async function openServer(
  ctx: Context,
  server: McpServerRow,
  projectId: string,
  signal: AbortSignal,
): Promise<OpenServer> {
  const connection = await connectTo(ctx, server, signal);
  try {
    const remote = await connection.listTools(signal);
    if (remote.length === 0) throw new McpFailure('no_tools', 'it has no tools');
    const requireServing = async () => {
      // The server may have been removed or bound to other Projects since the run started.
      const current = await findServingServer(ctx, projectId, server.mentionSlug);
      if (current?.id === server.id) return;
      throw new McpFailure('refused', 'this server cannot be used here any more');
    };
    const tools = remote.map((tool) => callable(tool, connection, requireServing));
    return { tools, close: () => connection.close() };
  } catch (error) {
    connection.close();
    throw error;
  }
}

function callable(
  tool: RemoteTool,
  connection: McpConnection,
  requireServing: () => Promise<void>,
): ServerTool {
  return {
    ...tool,
    async call(input, signal) {
      try {
        await requireServing();
        return await connection.callTool(tool, input, signal);
      } catch (error) {
        if (!(error instanceof McpFailure)) throw error;
        return { text: error.message, isError: true };
      }
    },
  };
}
