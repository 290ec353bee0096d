import { McpFailure, type McpConnection } from '../../adapters/mcp/mcp-client.ts';
import type { Context } from '../../core/context.ts';
import { headersOf } from './secret.ts';
import type { McpServerRow } from './store.ts';

export async function connectTo(
  ctx: Context,
  server: McpServerRow,
  signal: AbortSignal,
): Promise<McpConnection> {
  const { authType, endpointUrl: url } = server;
  return ctx.mcp.connect({ url, headers: headersOf(authType, readSecret(ctx, server)) }, signal);
}

function readSecret(ctx: Context, { id, sealedSecret }: McpServerRow): string | undefined {
  if (sealedSecret === null) return undefined;
  try {
    return ctx.vault.unseal(placeOf(ctx.orgId, id), sealedSecret);
  } catch {
    const message =
      'its secret was encrypted with a key that is not in SECRETS_KEY: add that key, or register the server again';
    throw new McpFailure('secret_unreadable', message);
  }
}

/** The vault's name for the place of its secret. */
export function placeOf(orgId: string, serverId: string): string {
  return `mcp-server/${orgId}/${serverId}`;
}
