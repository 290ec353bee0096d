import { z } from 'zod';
import {
  clearable,
  httpsUrl,
  listOf,
  name,
  optional,
  pathId,
  recordId,
  text,
  timestamp,
} from '../../core/fields.ts';
import { credentialProblems } from './credentials.ts';

const Provider = z.enum(['SLACK', 'MATTERMOST']);

export const ChannelConnection = z
  .object({
    id: recordId(),
    provider: Provider,
    displayName: z.string(),
    serverUrl: z.string().nullable().meta({ description: 'Null for Slack.' }),
    workspaceName: z.string(),
    botName: z.string(),
    mode: z.enum(['SOCKET', 'WEBHOOK']).meta({
      description:
        'SOCKET: the server opens the connection for events. WEBHOOK: Slack sends them to `/api/webhooks/slack/{id}`.',
    }),
    trustsEmails: z.boolean().meta({
      description:
        'Whether to trust addresses that the chat system has not verified. If so, anyone in the connected workspace with the address of a member counts as that member. People of other workspaces never do.',
    }),
    status: z.enum(['CONNECTING', 'CONNECTED', 'BROKEN']),
    lastError: z.string().nullable(),
    lastEventAt: timestamp().nullable(),
    createdAt: timestamp(),
  })
  .meta({ id: 'ChannelConnection' });

export const ChannelConnectionList = listOf(ChannelConnection).meta({
  id: 'ChannelConnectionList',
});

const token = () =>
  text({ max: 1000 }).regex(/^[\x21-\x7e]+$/, 'must be a token of visible ASCII characters');

export const CreateChannelConnection = z
  .strictObject({
    provider: Provider,
    displayName: optional(name()).meta({ description: "Default: the workspace's name." }),
    serverUrl: optional(httpsUrl()).meta({
      description: 'For Mattermost: the address of the server. It must use HTTPS.',
    }),
    botToken: token().meta({
      description: 'Stored encrypted and never returned, like the others.',
    }),
    appToken: optional(token()).meta({
      description: 'For Slack with Socket Mode, which needs no public address.',
    }),
    signingSecret: optional(token()).meta({
      description: 'For Slack without Socket Mode: the secret that it signs its requests with.',
    }),
    trustsEmails: optional(z.boolean()),
  })
  .superRefine((input, context) => {
    for (const { field, message } of credentialProblems(input)) {
      context.addIssue({
        code: 'custom',
        path: [field],
        params: { code: 'invalid_value' },
        message,
      });
    }
  })
  .meta({ id: 'CreateChannelConnection' });

export const UpdateChannelConnection = z
  .strictObject({
    displayName: optional(name()),
    botToken: optional(token()),
    appToken: clearable(token()),
    signingSecret: clearable(token()),
    trustsEmails: optional(z.boolean()),
  })
  .meta({ id: 'UpdateChannelConnection' });

export const ChannelConnectionTest = z
  .union([
    z.object({
      ok: z.literal(true),
      workspaceName: z.string(),
      botName: z.string(),
      latencyMs: z.int(),
    }),
    z.object({ ok: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) }),
  ])
  .meta({ id: 'ChannelConnectionTest' });

export const ChatChannel = z
  .object({
    id: z.string(),
    name: z.string(),
    isPrivate: z.boolean(),
    isMember: z.boolean().meta({ description: 'Whether the bot is in it, and so can be mapped.' }),
  })
  .meta({ id: 'ChatChannel' });

export const ChatChannelList = listOf(ChatChannel).meta({ id: 'ChatChannelList' });

export const SearchChannels = z.strictObject({
  query: text({ min: 0, max: 100 })
    .optional()
    .meta({ description: 'Only channels whose name contains this.' }),
});

const Direction = z.enum(['BOTH', 'IN', 'OUT']).meta({
  description: 'Which way messages go: IN is from the channel to the session only.',
});
const Answers = z.enum(['MEMBERS', 'EVERYONE', 'NONE']).meta({
  description:
    'Whose mentions in the channel agents answer, up to 20 replies a minute for one person and 60 for the channel. Other bots are never answered, and mentions in Atrium always are. Only an OWNER or ADMIN can set EVERYONE.',
});

export const ChannelMapping = z
  .object({
    id: recordId(),
    projectId: recordId(),
    connectionId: recordId(),
    provider: Provider,
    channelId: z.string(),
    channelName: z.string(),
    sessionId: recordId(),
    direction: Direction,
    answers: Answers,
    sharesOrgMemory: z.boolean().meta({
      description:
        'Whether agents may use ORG memory in this session. People in the channel read the answers.',
    }),
    status: z.enum(['ACTIVE', 'PAUSED', 'BROKEN']),
    lastError: z.string().nullable(),
    gaps: z.array(z.object({ from: timestamp(), to: timestamp().nullable() })).meta({
      description:
        'When it was paused. What was written then is on one side only. `to` is null while it is paused. At most the last 100.',
    }),
    createdById: recordId(),
    createdAt: timestamp(),
  })
  .meta({ id: 'ChannelMapping' });

export const ChannelMappingList = listOf(ChannelMapping).meta({ id: 'ChannelMappingList' });

const id = () => text({ max: 50 });
const sharesOrgMemory = () =>
  optional(z.boolean()).meta({ description: 'Only an OWNER or ADMIN can set it.' });

export const CreateChannelMapping = z
  .strictObject({
    connectionId: id(),
    channelId: text({ max: 100 }).meta({
      description:
        'From `GET /channel-connections/{id}/channels`. The bot must be in the channel. Only an OWNER or ADMIN can map a private channel.',
    }),
    sessionId: optional(id()).meta({
      description:
        'A session of this Project that all its members can read. Default: a new one with the name of the channel.',
    }),
    direction: optional(Direction).meta({ description: 'Default: BOTH.' }),
    answers: optional(Answers).meta({
      description: 'Default: MEMBERS. Only an OWNER or ADMIN can set EVERYONE.',
    }),
    sharesOrgMemory: sharesOrgMemory(),
  })
  .meta({ id: 'CreateChannelMapping' });

export const UpdateChannelMapping = z
  .strictObject({
    direction: optional(Direction),
    answers: optional(Answers),
    sharesOrgMemory: sharesOrgMemory(),
    status: optional(z.enum(['ACTIVE', 'PAUSED'])).meta({
      description:
        'While it is PAUSED, no messages are exchanged, and none are caught up later. ACTIVE also retries a BROKEN one. If it broke because the channel became private, only an OWNER or ADMIN can set ACTIVE.',
    }),
  })
  .meta({ id: 'UpdateChannelMapping' });

export const ConnectionPath = z.object({ id: pathId('connection') });
export const ProjectChannelsPath = z.object({ projectId: pathId('Project') });
export const MappingPath = ProjectChannelsPath.extend({ id: pathId('mapping') });

export type CreateChannelConnection = z.output<typeof CreateChannelConnection>;
export type UpdateChannelConnection = z.output<typeof UpdateChannelConnection>;
export type ChannelConnectionTest = z.output<typeof ChannelConnectionTest>;
export type CreateChannelMapping = z.output<typeof CreateChannelMapping>;
export type UpdateChannelMapping = z.output<typeof UpdateChannelMapping>;
