import { McpFailure, type McpConnection } from '../../adapters/mcp/mcp-client.ts';
import type { CheckResult } from '../../adapters/safe-fetch/safe-fetch.ts';
import { withTransaction, type Context, type UserContext } from '../../core/context.ts';
import { sealedColumn, type SealedSource } from '../../db/sealed-column.ts';
import { invalid, notFound, requireFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { emit } from '../../events/emit.ts';
import { claimName, nameTaken } from '../mentions/service.ts';
import { connectTo, placeOf } from './connection.ts';
import type { ConnectionTest, CreateMcpServer } from './schema.ts';
import {
  deleteServer,
  findServer,
  insertServerAtCommit,
  lockServer,
  replaceBindings,
  saveTest,
  type McpServerRow,
} from './store.ts';

export {
  findServingServer as findMentioned,
  findServingServers as listServing,
  listMcpServers,
  type McpServerRow,
} from './store.ts';
export { openServer } from './tools.ts';

/** The secrets of MCP servers. */
export const sealedSecrets: SealedSource = {
  placeOf,
  ...sealedColumn('mcp_servers', 'sealed_secret'),
};

/** Resolves the address, with no transaction open. `createMcpServer` decides whether it is acceptable. */
export function checkEndpoint(ctx: Context, input: CreateMcpServer): Promise<CheckResult> {
  return ctx.mcp.check(input.endpointUrl);
}

export async function createMcpServer(
  ctx: UserContext,
  input: CreateMcpServer,
  checked: CheckResult,
): Promise<McpServerRow> {
  if (checked.ok === false) {
    const error = { location: 'body.endpointUrl', code: 'not_allowed', message: checked.message };
    throw invalid([error]);
  }
  const { displayName, mentionSlug, endpointUrl, authType, secret } = input;
  const id = newId();
  const server = {
    id,
    displayName,
    mentionSlug,
    endpointUrl,
    authType,
    sealedSecret: secret === undefined ? null : ctx.vault.seal(placeOf(ctx.orgId, id), secret),
    // Every call is checked anyway, so an unreachable resolver is not a reason to refuse.
    lastError: checked.ok === 'unresolved' ? checked.message : null,
    createdAt: ctx.clock.now(),
  };
  await withTransaction(ctx, async (inner) => {
    const row = { ...server, createdById: ctx.actor.userId };
    insertServerAtCommit(inner.db, ctx.orgId, row, () => nameTaken(mentionSlug));
    claimName(inner, mentionSlug, { serverId: id });
    emit(inner, { type: 'mcp_server.created', serverId: id, mentionSlug });
  });
  return { ...server, projectIds: [], lastTestedAt: null };
}

/** Its secret is in the row, so it is deleted too. */
export async function removeMcpServer(ctx: Context, serverId: string): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    if (!(await deleteServer(inner, serverId))) throw notFound('This MCP server');
    emit(inner, { type: 'mcp_server.deleted', serverId });
  });
}

export async function bindMcpServer(
  ctx: Context,
  serverId: string,
  projectIds: readonly string[],
): Promise<McpServerRow> {
  return withTransaction(ctx, async (inner) => {
    if (!(await lockServer(inner, serverId))) throw notFound('This MCP server');
    if (!(await replaceBindings(inner, serverId, projectIds))) {
      throw notFound('One of these Projects');
    }
    emit(inner, { type: 'mcp_server.bound', serverId, projects: projectIds.length });
    return requireFound(await findServer(inner, serverId), 'This MCP server');
  });
}

/** Less than the ten seconds that a repeated request waits for the first. */
const TEST_MS = 8_000;

/** Connects and lists tools, as a reply with tools does first. Calls out, so no transaction is open. */
export async function testMcpServer(ctx: Context, serverId: string): Promise<ConnectionTest> {
  const server = requireFound(await findServer(ctx, serverId), 'This MCP server');
  const signal = AbortSignal.timeout(TEST_MS);
  try {
    const connection = await connectTo(ctx, server, signal);
    try {
      await requireListing(connection, signal);
    } finally {
      connection.close();
    }
    return { ok: true, ...connection.greeting };
  } catch (error) {
    if (!(error instanceof McpFailure)) throw error;
    return { ok: false, error: { code: error.code, message: error.message } };
  }
}

/** Many servers accept `initialize` from anyone and check the secret afterwards, so list the tools too. */
async function requireListing(connection: McpConnection, signal: AbortSignal): Promise<void> {
  try {
    await connection.listTools(signal);
  } catch (error) {
    if (!(error instanceof McpFailure) || error.code !== 'not_mcp') throw error;
  }
}

export async function recordTest(
  ctx: Context,
  serverId: string,
  result: ConnectionTest,
): Promise<void> {
  const lastError = result.ok ? null : result.error.message;
  if (!(await saveTest(ctx, serverId, lastError))) throw notFound('This MCP server');
  emit(ctx, { type: 'mcp_server.tested', serverId });
}
