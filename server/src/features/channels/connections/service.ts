import {
  ChatFailure,
  type ChatChannel,
  type ChatIdentity,
} from '../../../adapters/chat/provider.ts';
import { withTransaction, type Context, type UserContext } from '../../../core/context.ts';
import { invalid, invalidValue, limitReached, notFound } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { emit } from '../../../events/emit.ts';
import { credentialProblems, modeOf } from '../credentials.ts';
import { requireMapper } from '../policy.ts';
import type {
  ChannelConnectionTest,
  CreateChannelConnection,
  UpdateChannelConnection,
} from '../schema.ts';
import { openConnection, openWith, readableSecrets, sealSecrets } from '../secrets.ts';
import {
  countConnections,
  deleteConnection,
  findConnection,
  insertConnection,
  listConnections as listRows,
  restartConnection,
  reviveMappings,
  saveProblem,
  updateConnection as updateRow,
  type ConnectionRow,
} from './store.ts';

export type { ConnectionRow } from './store.ts';

/** Less than the ten seconds that a repeated request waits for the first. */
const CHECK_MS = 8_000;
const MOST_CONNECTIONS = 20;
const HEALED = { status: 'CONNECTING', lastError: null } as const;

export async function listConnections(ctx: UserContext): Promise<ConnectionRow[]> {
  await requireMapper(ctx);
  return listRows(ctx);
}

/** For exports. Who may read everything is for the caller to check. */
export function readConnections(ctx: UserContext): Promise<ConnectionRow[]> {
  return listRows(ctx);
}

export async function getConnection(ctx: Context, connectionId: string): Promise<ConnectionRow> {
  const connection = await findConnection(ctx, connectionId);
  if (!connection) throw notFound('This connection');
  return connection;
}

/** Asks the chat system who the token is. Calls out, so no transaction is open. */
export function checkNew(ctx: Context, input: CreateChannelConnection): Promise<ChatIdentity> {
  const { provider, serverUrl = null, ...secrets } = input;
  return identify(ctx, { provider, serverUrl }, secrets);
}

export async function createConnection(
  ctx: UserContext,
  input: CreateChannelConnection,
  identity: ChatIdentity,
): Promise<ConnectionRow> {
  const { provider, serverUrl = null, botToken, appToken, signingSecret } = input;
  const id = newId();
  const connection: ConnectionRow = {
    id,
    provider,
    serverUrl,
    ...identity,
    displayName: input.displayName ?? identity.workspaceName.slice(0, 120),
    mode: modeOf(input),
    trustsEmails: input.trustsEmails ?? false,
    sealedSecrets: sealSecrets(ctx, id, { botToken, appToken, signingSecret }),
    status: 'CONNECTING',
    lastError: null,
    lastEventAt: null,
    version: 1,
    createdAt: ctx.clock.now(),
  };
  await withTransaction(ctx, async (inner) => {
    if ((await countConnections(inner)) >= MOST_CONNECTIONS) {
      const message = `The organisation has ${MOST_CONNECTIONS} chat connections. Remove one first.`;
      throw limitReached('channel_connections_per_org', MOST_CONNECTIONS, message);
    }
    await insertConnection(inner, { ...connection, createdById: ctx.actor.userId });
    emit(inner, { type: 'channel_connection.created', connectionId: id, provider });
  });
  return connection;
}

/** With new tokens: asks the chat system who they are. Undefined if no token changes. */
export async function checkUpdate(
  ctx: Context,
  connectionId: string,
  input: UpdateChannelConnection,
): Promise<ChatIdentity | undefined> {
  const connection = await getConnection(ctx, connectionId);
  const secrets = changedSecrets(ctx, connection, input);
  const { provider, serverUrl } = connection;
  const problems = credentialProblems({ provider, serverUrl: serverUrl ?? undefined, ...secrets });
  if (problems.length > 0) {
    throw invalid(
      problems.map(({ field, message }) => ({
        location: `body.${field}`,
        code: 'invalid_value',
        message,
      })),
    );
  }
  if (input.botToken === undefined && !input.appToken) return undefined;
  const identity = await identify(ctx, connection, secrets);
  if (identity.workspaceId === connection.workspaceId) return identity;
  const message = `belongs to another workspace, "${identity.workspaceName}", and this connection is to "${connection.workspaceName}"`;
  throw invalidValue('body.botToken', message);
}

/** New tokens that work heal a broken connection. */
export function updateConnection(
  ctx: Context,
  connectionId: string,
  input: UpdateChannelConnection,
  identity: ChatIdentity | undefined,
): Promise<ConnectionRow> {
  return withTransaction(ctx, async (inner) => {
    const before = await getConnection(inner, connectionId);
    const fields = Object.entries(input).flatMap(([field, value]) =>
      value === undefined ? [] : [field],
    );
    if (fields.length === 0) return before;
    const secrets = changedSecrets(ctx, before, input);
    const after = await updateRow(inner, {
      ...before,
      ...(identity && { ...identity, ...HEALED }),
      displayName: input.displayName ?? before.displayName,
      trustsEmails: input.trustsEmails ?? before.trustsEmails,
      sealedSecrets: sealSecrets(ctx, connectionId, secrets),
      mode: modeOf({ provider: before.provider, ...secrets }),
    });
    if (!after) throw notFound('This connection');
    if (identity) await reviveMappings(inner, connectionId);
    emit(inner, { type: 'channel_connection.updated', connectionId, fields });
    return after;
  });
}

function changedSecrets(
  ctx: Context,
  connection: ConnectionRow,
  { botToken, appToken, signingSecret }: UpdateChannelConnection,
) {
  const before = readableSecrets(ctx, connection);
  return {
    botToken: botToken ?? before.botToken,
    appToken: appToken === undefined ? before.appToken : (appToken ?? undefined),
    signingSecret:
      signingSecret === undefined ? before.signingSecret : (signingSecret ?? undefined),
  };
}

export async function removeConnection(ctx: Context, connectionId: string): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    if (!(await deleteConnection(inner, connectionId))) {
      throw notFound('This connection');
    }
    emit(inner, { type: 'channel_connection.deleted', connectionId });
  });
}

export async function testConnection(
  ctx: Context,
  connectionId: string,
): Promise<ChannelConnectionTest> {
  const connection = await getConnection(ctx, connectionId);
  const startedAt = performance.now();
  try {
    const provider = openConnection(ctx, connection);
    const { workspaceName, botName } = await provider.check(AbortSignal.timeout(CHECK_MS));
    const latencyMs = Math.round(performance.now() - startedAt);
    return { ok: true, workspaceName, botName, latencyMs };
  } catch (error) {
    const { code, message } = failureOf(error);
    return { ok: false, error: { code, message } };
  }
}

/** A token that works again heals the connection. */
export async function recordTest(
  ctx: Context,
  connectionId: string,
  result: ChannelConnectionTest,
): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    const connection = await getConnection(inner, connectionId);
    if (!result.ok) {
      await saveProblem(inner, connectionId, result.error.message);
    } else if (connection.status === 'BROKEN') {
      await updateRow(inner, { ...connection, ...HEALED });
      await reviveMappings(inner, connectionId);
    } else {
      // Whoever serves it asks again, too, what the chat system verifies.
      await restartConnection(inner, connectionId);
    }
    emit(inner, { type: 'channel_connection.tested', connectionId });
  });
}

const MOST_PAGES = 10;
const MOST_CHANNELS = 100;

/**
 * By name. Only the first hundred: whoever looks for another one types more of its name. The names of private
 * channels are for those who can map them.
 */
export async function searchChannels(
  ctx: UserContext,
  connectionId: string,
  query: string,
): Promise<ChatChannel[]> {
  await requireMapper(ctx);
  const connection = await getConnection(ctx, connectionId);
  const signal = AbortSignal.timeout(CHECK_MS);
  const isManager = ctx.actor.role !== 'MEMBER';
  const isShown = ({ isArchived, isPrivate }: ChatChannel) =>
    !isArchived && (isManager || !isPrivate);
  try {
    const provider = openConnection(ctx, connection);
    const found: ChatChannel[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES && found.length < MOST_CHANNELS; page++) {
      const next = await provider.listChannels(query, cursor, signal);
      found.push(...next.channels.filter(isShown));
      cursor = next.cursor;
      if (cursor === undefined) break;
    }
    return found.toSorted((a, b) => a.name.localeCompare(b.name)).slice(0, MOST_CHANNELS);
  } catch (error) {
    const { message } = failureOf(error);
    throw invalid([{ location: 'request', code: 'unreachable', message }]);
  }
}

async function identify(
  ctx: Context,
  connection: Pick<ConnectionRow, 'provider' | 'serverUrl'>,
  secrets: Parameters<typeof openWith>[2],
): Promise<ChatIdentity> {
  try {
    return await openWith(ctx, connection, secrets).check(AbortSignal.timeout(CHECK_MS));
  } catch (error) {
    const { code, message } = failureOf(error);
    const isAddress = connection.serverUrl !== null && code !== 'unauthorized';
    const location = isAddress && code !== 'forbidden' ? 'body.serverUrl' : 'body.botToken';
    throw invalid([{ location, code: fieldCode(code), message }]);
  }
}

function fieldCode(code: ChatFailure['code']): string {
  if (code === 'refused') return 'not_allowed';
  return code === 'temporary' || code === 'rate_limited' ? 'unreachable' : 'invalid_value';
}

/** What callers can be told. Anything else is an error of ours. */
export function failureOf(error: unknown): ChatFailure {
  if (error instanceof ChatFailure) return error;
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new ChatFailure('temporary', 'it did not answer in time');
  }
  throw error;
}
