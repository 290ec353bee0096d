import type { Context } from '../../../core/context.ts';
import { openServer, type McpServerRow } from '../../mcp/service.ts';
import type { ToolSource } from './tools.ts';

/** The tools of an MCP server, on behalf of a Project. */
export function serverSource(ctx: Context, server: McpServerRow, projectId: string): ToolSource {
  const open = (signal: AbortSignal) => openServer(ctx, server, projectId, signal);
  return { name: server.mentionSlug, open };
}
