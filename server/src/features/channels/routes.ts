import { defineRoute, type Route } from '../../http/route.ts';
import { presentList } from '../../lists/present.ts';
import { getProject } from '../projects/service.ts';
import {
  checkNew,
  checkUpdate,
  createConnection,
  listConnections,
  recordTest,
  removeConnection,
  searchChannels,
  testConnection,
  updateConnection,
} from './connections/service.ts';
import {
  checkChannel,
  createMapping,
  listMappings,
  removeMapping,
  updateMapping,
} from './mappings/service.ts';
import { presentChannel, presentConnection, presentMapping } from './present.ts';
import {
  ChannelConnection,
  ChannelConnectionList,
  ChannelConnectionTest,
  ChannelMapping,
  ChannelMappingList,
  ChatChannelList,
  ConnectionPath,
  CreateChannelConnection,
  CreateChannelMapping,
  MappingPath,
  ProjectChannelsPath,
  SearchChannels,
  UpdateChannelConnection,
  UpdateChannelMapping,
} from './schema.ts';

const connectionExample = {
  id: 'cmf3k2v8q000fx5p7h9d4t6wz',
  provider: 'MATTERMOST',
  displayName: 'Team chat',
  serverUrl: 'https://chat.example.com',
  workspaceName: 'Example',
  botName: 'atrium',
  mode: 'SOCKET',
  trustsEmails: false,
  status: 'CONNECTED',
  lastError: null,
  lastEventAt: '2026-11-15T09:31:00.000Z',
  createdAt: '2026-11-15T09:30:00.000Z',
};
const mappingExample = {
  id: 'cmf3k2v8q000gx5p7h9d4t6wz',
  projectId: 'cmf3k2v8q0001x5p7h9d4t6wz',
  connectionId: connectionExample.id,
  provider: 'MATTERMOST',
  channelId: '4xp9fdt77pncbef59f4k1qe83o',
  channelName: 'pricing',
  sessionId: 'cmf3k2v8q0003x5p7h9d4t6wz',
  direction: 'BOTH',
  answers: 'MEMBERS',
  sharesOrgMemory: false,
  status: 'ACTIVE',
  lastError: null,
  gaps: [],
  createdById: 'cmf3k2v8q0000x5p7h9d4t6wz',
  createdAt: '2026-11-15T09:32:00.000Z',
};
const MANAGERS = ['OWNER', 'ADMIN'] as const;
const CONNECTIONS = '/channel-connections';
const CHANNELS = '/projects/{projectId}/channels';

const common = { tag: 'Channels', extension: true, auth: 'user' } as const;
const read = { ...common, scope: 'channels:read', limit: 'read' } as const;
const write = { ...common, scope: 'channels:write', limit: 'write' } as const;

export const channelRoutes: Route[] = [
  defineRoute({
    ...read,
    operationId: 'listChannelConnections',
    method: 'GET',
    path: CONNECTIONS,
    summary: 'List chat connections',
    description:
      "The organisation's links to chat systems, newest first. For OWNER, ADMIN, and people who created a Project. Secrets are never returned.",
    request: {},
    response: ChannelConnectionList,
    example: { response: { items: [connectionExample], total: 1 } },
    handler: async (ctx) => presentList(await listConnections(ctx), presentConnection),
  }),
  defineRoute({
    ...write,
    operationId: 'createChannelConnection',
    method: 'POST',
    path: CONNECTIONS,
    summary: 'Connect a chat system',
    description:
      'Checks the token first. Slack needs a bot token, and an app token (Socket Mode) or a signing secret (Events API). Mattermost needs the address of the server and a bot token.',
    roles: MANAGERS,
    request: { body: CreateChannelConnection },
    mayReplay: 'always',
    status: 201,
    response: ChannelConnection,
    example: {
      request: {
        provider: 'MATTERMOST',
        displayName: 'Team chat',
        serverUrl: 'https://chat.example.com',
        botToken: 'a-token-of-the-bot',
      },
      response: { ...connectionExample, status: 'CONNECTING', lastEventAt: null },
    },
    callOut: (ctx, { body }) => checkNew(ctx, body),
    handler: async (ctx, { body }, identity) =>
      presentConnection(await createConnection(ctx, body, identity)),
  }),
  defineRoute({
    ...write,
    operationId: 'updateChannelConnection',
    method: 'PATCH',
    path: `${CONNECTIONS}/{id}`,
    summary: 'Change a chat connection',
    description:
      'A new token is checked first. It heals a BROKEN connection, and its mappings. It must belong to the same workspace.',
    roles: MANAGERS,
    request: { params: ConnectionPath, body: UpdateChannelConnection },
    response: ChannelConnection,
    example: {
      request: { displayName: 'Team chat', trustsEmails: false },
      response: connectionExample,
    },
    callOut: (ctx, { params, body }) => checkUpdate(ctx, params.id, body),
    handler: async (ctx, { params, body }, identity) =>
      presentConnection(await updateConnection(ctx, params.id, body, identity)),
  }),
  defineRoute({
    ...write,
    operationId: 'deleteChannelConnection',
    method: 'DELETE',
    path: `${CONNECTIONS}/{id}`,
    summary: 'Remove a chat connection',
    description: 'Its secrets and mappings are deleted too. Messages stay, on both sides.',
    roles: MANAGERS,
    request: { params: ConnectionPath },
    status: 204,
    handler: (ctx, { params }) => removeConnection(ctx, params.id),
  }),
  defineRoute({
    ...write,
    operationId: 'testChannelConnection',
    method: 'POST',
    path: `${CONNECTIONS}/{id}/test`,
    summary: 'Test a chat connection',
    description:
      'Asks the chat system whose token it is. Returns what it says, or what went wrong, within 10 seconds. If a BROKEN connection works again, it is healed. The server connects again, and asks the chat system again who people are.',
    roles: MANAGERS,
    request: { params: ConnectionPath },
    mayReplay: 'always',
    response: ChannelConnectionTest,
    example: {
      response: { ok: true, workspaceName: 'Example', botName: 'atrium', latencyMs: 120 },
    },
    callOut: (ctx, { params }) => testConnection(ctx, params.id),
    async handler(ctx, { params }, result) {
      await recordTest(ctx, params.id, result);
      return result;
    },
  }),
  defineRoute({
    ...read,
    operationId: 'listChatChannels',
    method: 'GET',
    path: `${CONNECTIONS}/{id}/channels`,
    summary: 'Search the channels of a chat system',
    description:
      'Channels that the bot can see, by name, at most 100. For OWNER, ADMIN, and people who created a Project. A MEMBER gets public channels only. Conversations between people are never listed.',
    request: { params: ConnectionPath, query: SearchChannels },
    response: ChatChannelList,
    example: {
      response: {
        items: [
          { id: mappingExample.channelId, name: 'pricing', isPrivate: false, isMember: true },
        ],
        total: 1,
      },
    },
    callOut: (ctx, { params, query }) => searchChannels(ctx, params.id, query.query ?? ''),
    handler: async (_ctx, _input, channels) => presentList(channels, presentChannel),
  }),
  defineRoute({
    ...read,
    operationId: 'listChannels',
    method: 'GET',
    path: CHANNELS,
    summary: "List a Project's channels",
    description: 'The chat channels that are also sessions of the Project, oldest first.',
    request: { params: ProjectChannelsPath },
    response: ChannelMappingList,
    example: { response: { items: [mappingExample], total: 1 } },
    handler: async (ctx, { params }) =>
      presentList(await listMappings(ctx, params.projectId), presentMapping),
  }),
  defineRoute({
    ...write,
    operationId: 'createChannel',
    method: 'POST',
    path: CHANNELS,
    summary: 'Map a chat channel',
    description:
      'From now on, what is written in the channel appears in the session, and the other way round. The people in the channel read the session too. Only an OWNER or ADMIN can map a private channel, or set `answers` to EVERYONE: otherwise 403 with the reason `role`. If the channel or the session is mapped already: 409 with the reason `channel_mapped`.',
    request: { params: ProjectChannelsPath, body: CreateChannelMapping },
    mayReplay: (ctx, { params }) => getProject(ctx, params.projectId),
    status: 201,
    response: ChannelMapping,
    example: {
      request: { connectionId: connectionExample.id, channelId: mappingExample.channelId },
      response: mappingExample,
    },
    callOut: (ctx, { params, body }) => checkChannel(ctx, params.projectId, body),
    handler: async (ctx, { params, body }, channel) =>
      presentMapping(await createMapping(ctx, params.projectId, body, channel)),
  }),
  defineRoute({
    ...write,
    operationId: 'updateChannel',
    method: 'PATCH',
    path: `${CHANNELS}/{id}`,
    summary: 'Change a mapping',
    description:
      "For the Project's creator, OWNER and ADMIN. Only an OWNER or ADMIN can set `sharesOrgMemory`, set `answers` to EVERYONE, or turn on a channel that became private after a MEMBER had mapped it.",
    request: { params: MappingPath, body: UpdateChannelMapping },
    response: ChannelMapping,
    example: {
      request: { status: 'PAUSED' },
      response: {
        ...mappingExample,
        status: 'PAUSED',
        gaps: [{ from: '2026-11-15T10:00:00.000Z', to: null }],
      },
    },
    handler: async (ctx, { params, body }) =>
      presentMapping(await updateMapping(ctx, params.projectId, params.id, body)),
  }),
  defineRoute({
    ...write,
    operationId: 'deleteChannel',
    method: 'DELETE',
    path: `${CHANNELS}/{id}`,
    summary: 'Unmap a channel',
    description: 'Messages stay, on both sides. Session and channel can be mapped again.',
    request: { params: MappingPath },
    status: 204,
    handler: (ctx, { params }) => removeMapping(ctx, params.projectId, params.id),
  }),
];
