import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { createCaller, type Call } from '../clients/client.ts';
import { createTestOrg, type TestOrg } from '../factories.ts';
import type { ModelServer } from '../outside/model-server.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../processes/server.ts';

/** The fields of a message that tests of agents read. */
export interface ShownMessage {
  id: string;
  parentMessageId: string | null;
  authorKind: 'USER' | 'AGENT';
  authorUserId: string | null;
  agentSlug: string | null;
  inReplyToMessageId: string | null;
  body: string;
  mentions: string[];
  status: 'COMPLETED' | 'FAILED' | 'STOPPED';
  error: { code: string; message: string } | null;
  citations: { memoryId?: string; messageId?: string; documentId?: string; page?: number }[];
  toolCalls: unknown[];
  pendingReplies: { mention: string; startedAt: string }[];
  createdAt: string;
  usage: {
    inputTokens: number;
    outputTokens: number;
    credits: number;
    latencyMs: number;
  } | null;
}

export interface Room {
  space: string;
  projectId: string;
  sessionId: string;
  /** Posts as the org's member, or with the given key. */
  post(body: string, more?: { parentMessageId?: string; key?: string }): Promise<ShownMessage>;
  /** Posts, and waits for this many replies (default: one). In the order in which they landed. */
  ask(body: string, more?: { replies?: number; key?: string }): Promise<ShownMessage[]>;
  /** Newest first, up to a hundred. */
  list(): Promise<ShownMessage[]>;
  /** The message with this id, as it is listed. */
  shown(messageId: string): Promise<ShownMessage>;
  replies(messageId: string, count?: number): Promise<ShownMessage[]>;
  remember(content: string, more?: object, key?: string): Promise<string>;
}

/** A server that runs its background jobs, with an org. */
export interface AgentStage {
  server: TestServer;
  call: Call;
  org: TestOrg;
  /** A Project with a session, in the stage's org or another. */
  openRoom(session?: object, org?: TestOrg, project?: object): Promise<Room>;
  /** Resolves when nothing is left to answer. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export interface ModelEntry {
  slug: string;
  server: ModelServer;
  provider?: 'openai' | 'anthropic' | 'openai-compatible';
  creditsPer1kTokens?: number;
  /** Whether it takes pictures. */
  vision?: boolean;
}

/** Used as every provider's key. Tests search for it where it must not appear. */
export const PROVIDER_KEY = 'canary-provider-key-4711';

export async function startAgentStage(
  models: readonly ModelEntry[] = [],
  options: TestServerOptions = {},
): Promise<AgentStage> {
  const file = await writeModels(models);
  const env = { ...options.env, MODELS_FILE: file.path, PROVIDER_KEY };
  const server = await startTestServer({ worker: true, ...options, env });
  const call = createCaller(server.origin);
  const org = await createTestOrg(server.db);
  return {
    server,
    call,
    org,
    openRoom: (session, owner = org, project) => openRoom(call, owner, session, project),
    settled: () =>
      until(async () => {
        const [row] = await server.db.query<{ count: number }>('SELECT count(*) FROM jobs');
        return row?.count === 0;
      }, 100_000),
    async stop() {
      await server.stop();
      await file.remove();
    },
  };
}

/** Writes messages by the org's owner into the database: posting them would take minutes. Returns their ids. */
export async function fillSession(
  { server, org }: Pick<AgentStage, 'server' | 'org'>,
  { sessionId }: Room,
  count: number,
  { from = 1, text = '' }: { from?: number; text?: string } = {},
): Promise<string[]> {
  const rows = await server.db.query<{ id: string }>(
    `INSERT INTO messages (org_id, id, session_id, position, author_kind, author_user_id, body,
       mentions, status, citations, tool_calls, created_at)
     SELECT $1, left($2, 20) || lpad(n::text, 5, '0'), $2, n, 'USER', $3,
       'number ' || n || ': ' || $4, '{}', 'COMPLETED', '[]', '[]', now()
     FROM generate_series($5::int, $6::int) n RETURNING id`,
    [org.orgId, sessionId, org.owner.userId, text, from, from + count - 1],
  );
  await server.db.query('UPDATE sessions SET last_position = $2 WHERE id = $1', [
    sessionId,
    from + count - 1,
  ]);
  return rows.map(({ id }) => id);
}

/** A MODELS_FILE. Every entry has a key, so that tests can check where it goes. */
export async function writeModels(
  models: readonly ModelEntry[],
): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-models-'));
  const path = join(folder, 'models.json');
  const entries = models.map(
    ({ slug, server, provider = 'openai', creditsPer1kTokens = 0, vision = false }) => ({
      slug,
      provider,
      model: `${slug}-1`,
      baseURL: server.baseUrl,
      apiKeyEnv: 'PROVIDER_KEY',
      creditsPer1kTokens,
      vision,
    }),
  );
  await writeFile(path, JSON.stringify(entries));
  return { path, remove: () => rm(folder, { recursive: true }) };
}

/** Polls. */
export async function until(isSo: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`this did not come about in ${withinMs} ms`);
    await sleep(20);
  }
}

let rooms = 0;

async function openRoom(
  call: Call,
  org: TestOrg,
  session: object = {},
  project: object = {},
): Promise<Room> {
  const send = async (method: string, path: string, key: string, body?: object) => {
    const reply = await call(method, path, { key, ...(body && { body }) });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.json.data;
  };
  const { key: ownerKey } = org.owner;
  const drafted = { name: `Room ${++rooms}`, ...project };
  const { slug, id: projectId } = await send('POST', '/api/projects', ownerKey, drafted);
  const space = `/api/spaces/${slug}`;
  const opened = { name: 'Talk', ...session };
  const { id: sessionId } = await send('POST', `${space}/sessions`, ownerKey, opened);
  const messages = `${space}/sessions/${sessionId}/messages`;

  const room: Room = {
    space,
    projectId,
    sessionId,
    post: (body, { key = org.member.key, ...more } = {}) =>
      send('POST', messages, key, { body, ...more }),
    async ask(body, { replies = 1, ...more } = {}) {
      const { id } = await room.post(body, more);
      return room.replies(id, replies);
    },
    list: async () => (await send('GET', `${messages}?limit=100`, ownerKey)).items,
    async shown(messageId) {
      const found = (await room.list()).find(({ id }) => id === messageId);
      if (!found) throw new Error(`the message ${messageId} is not listed`);
      return found;
    },
    async replies(messageId, count = 1) {
      let found: ShownMessage[] = [];
      await until(async () => {
        const listed = await room.list();
        found = listed.filter(({ inReplyToMessageId }) => inReplyToMessageId === messageId);
        return found.length >= count;
      });
      return found.toReversed();
    },
    remember: async (content, more = {}, key = org.owner.key) =>
      (await send('POST', '/api/memory', key, { content, visibility: 'ORG', ...more })).id,
  };
  return room;
}
