import { expect } from 'vitest';
import { startAgentStage, until, type AgentStage, type ModelEntry } from './agent-stage.ts';
import { createAuthority } from '../outside/certificates.ts';
import { startMattermost, type MattermostServer } from '../outside/chat/mattermost-server.ts';
import { startSlack, type SlackServer } from '../outside/chat/slack-server.ts';
import type { Reply } from '../clients/client.ts';
import type { TestServerOptions } from '../processes/server.ts';

export const CONNECTIONS = '/api/channel-connections';

/** The fields of a message that tests of channels read. */
export interface ChannelMessage {
  id: string;
  body: string;
  parentMessageId: string | null;
  authorKind: string;
  authorUserId: string | null;
  attachments?: { fileId: string; name: string; size: number; status: string }[];
  externalAuthor: { provider: string; id: string; name: string } | null;
  mentions: string[];
  pendingReplies: unknown[];
  mentionedUserIds: string[];
  reactions: { emoji: string; count: number; userIds: string[] }[];
  deletedAt: string | null;
  editedAt: string | null;
}

/** A mapped channel, with its session. */
export interface MappedChannel {
  id: string;
  connectionId: string;
  channelId: string;
  projectId: string;
  sessionId: string;
  space: string;
  /** Where its mapping is read and changed. */
  path: string;
  post(body: string, more?: { key?: string; parentMessageId?: string }): Promise<ChannelMessage>;
  /** Oldest first. */
  list(): Promise<ChannelMessage[]>;
  /** Waits until the session has a message with this text. */
  arrived(text: string): Promise<ChannelMessage>;
}

/** A server that serves chat connections, next to a Mattermost and a Slack. */
export interface ChannelStage extends AgentStage {
  mattermost: MattermostServer;
  slack: SlackServer;
  send: (method: string, path: string, body?: object, key?: string) => Promise<Reply>;
  connectMattermost(fields?: object): Promise<string>;
  connectSlack(fields?: object): Promise<string>;
  /** Makes a channel there, with the bot in it, and maps it in a new Project. */
  mapMattermost(connectionId: string, fields?: object): Promise<MappedChannel>;
  mapSlack(connectionId: string, fields?: object): Promise<MappedChannel>;
}

let channels = 0;

export async function startChannelStage(
  models: readonly ModelEntry[] = [],
  options: TestServerOptions = {},
): Promise<ChannelStage> {
  const authority = createAuthority();
  const [mattermost, slack] = await Promise.all([
    startMattermost(authority),
    startSlack(authority),
  ]);
  const env = {
    CHAT_ALLOW_HOSTS: mattermost.host,
    SLACK_API_BASE: slack.origin,
    PUBLIC_URL: 'https://atrium.example.com',
    ...options.env,
  };
  const stage = await startAgentStage(models, { ...options, env, ca: authority.certificate });
  const { call, org } = stage;

  const send = (method: string, path: string, body?: object, key = org.owner.key) =>
    call(method, path, { key, ...(body && { body }) });
  async function made(path: string, body: object) {
    const reply = await send('POST', path, body);
    expect(reply.status, reply.text).toBe(201);
    return reply.json.data;
  }

  async function map(connectionId: string, channelId: string, fields: object) {
    const project = await made('/api/projects', { name: `Chat ${++channels}` });
    const path = `/api/projects/${project.id}/channels`;
    const mapping = await made(path, { connectionId, channelId, ...fields });
    const space = `/api/spaces/${project.slug}`;
    const messages = `${space}/sessions/${mapping.sessionId}/messages`;
    const list = async (): Promise<ChannelMessage[]> =>
      (await send('GET', `${messages}?limit=100`)).json.data.items.toReversed();
    return {
      ...mapping,
      space,
      path: `${path}/${mapping.id}`,
      list,
      async post(body: string, { key = org.member.key, ...more } = {}) {
        const reply = await call('POST', messages, { key, body: { body, ...more } });
        expect(reply.status, reply.text).toBe(201);
        return reply.json.data;
      },
      async arrived(text: string) {
        let found: ChannelMessage | undefined;
        await until(async () => {
          found = (await list()).find(({ body }) => body === text);
          return found !== undefined;
        }, 20_000);
        return found as ChannelMessage;
      },
    } as MappedChannel;
  }

  return {
    ...stage,
    mattermost,
    slack,
    send,
    connectMattermost: async (fields) =>
      (
        await made(CONNECTIONS, {
          provider: 'MATTERMOST',
          serverUrl: mattermost.url,
          botToken: mattermost.botToken,
          ...fields,
        })
      ).id,
    connectSlack: async (fields) =>
      (
        await made(CONNECTIONS, {
          provider: 'SLACK',
          botToken: slack.botToken,
          appToken: slack.appToken,
          ...fields,
        })
      ).id,
    mapMattermost: (connectionId, fields = {}) =>
      map(connectionId, mattermost.addChannel(`town-${++channels}`, [mattermost.bot]).id, fields),
    mapSlack: (connectionId, fields = {}) =>
      map(connectionId, slack.addChannel(`town-${++channels}`, [slack.botUserId]).id, fields),
    async stop() {
      await stage.stop();
      await Promise.all([mattermost.close(), slack.close()]);
    },
  };
}
