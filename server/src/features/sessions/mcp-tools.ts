import { z } from 'zod';
import { optional } from '../../core/fields.ts';
import { presentPage } from '../../lists/present.ts';
import { CHANGES, page, projectSlug, READS, size, WRITES } from '../../mcp-endpoint/tool-parts.ts';
import { defineMcpTool } from '../../mcp-endpoint/tool.ts';
import { presentSession } from './present.ts';
import { openDirect } from './direct/service.ts';
import { followSession, leaveSession } from './following/service.ts';
import {
  AllSessionsPage,
  FollowSession,
  ListSessions,
  OpenDirect,
  Session,
  SessionPage,
} from './schema.ts';
import { listSessions } from './service.ts';
import { listAllSessions } from './unread/service.ts';

export const listSessionsTool = defineMcpTool({
  name: 'list_sessions',
  title: 'List sessions',
  description: 'Lists the sessions (conversations) of a Project, most recently active first.',
  scope: 'sessions:read',
  ...READS,
  input: z.strictObject({
    slug: projectSlug(),
    status: optional(ListSessions.shape.status.unwrap())
      .transform((status) => status ?? 'ACTIVE')
      .meta({
        description: 'ARCHIVED lists archived sessions instead. Default: ACTIVE.',
      }),
    page: page(),
    limit: size(20),
  }),
  output: SessionPage,
  run: async (ctx, { slug, ...query }) =>
    presentPage(await listSessions(ctx, slug, query), query, presentSession),
});

export const listFollowedSessionsTool = defineMcpTool({
  name: 'list_followed_sessions',
  title: 'List followed sessions',
  description:
    'Lists the sessions of all Projects that the person whose key you use follows, those with unread messages first.',
  scope: 'sessions:read',
  ...READS,
  input: z.strictObject({
    unread: optional(z.boolean()).meta({ description: 'Only those with unread messages.' }),
    page: page(),
    limit: size(20),
  }),
  output: AllSessionsPage,
  async run(ctx, { unread = false, page: nth, limit }) {
    const query = { status: 'ACTIVE', followed: true, unread, page: nth, limit } as const;
    const { unreadTotal, ...found } = await listAllSessions(ctx, query);
    return { ...presentPage(found, query, presentSession), unreadTotal };
  },
});

export const openDirectTool = defineMcpTool({
  name: 'open_direct',
  title: 'Open a direct conversation',
  description:
    'Returns the one conversation of the person whose key you use and these people, from list_members, and makes it if they have none. Read and post messages in it with the slug direct.',
  scope: 'sessions:write',
  ...WRITES,
  input: OpenDirect,
  output: Session,
  run: async (ctx, { userIds }) => presentSession(await openDirect(ctx, userIds)),
});

const SESSION = {
  slug: projectSlug(),
  sessionId: z.string().meta({ description: "The session's id, from list_sessions." }),
};

export const followSessionTool = defineMcpTool({
  name: 'follow_session',
  title: 'Follow a session',
  description:
    'From now on, new messages there are unread for the person whose key you use. level says what they are told about.',
  scope: 'sessions:write',
  ...CHANGES,
  input: FollowSession.extend(SESSION),
  output: Session,
  run: async (ctx, { slug, sessionId, ...choice }) =>
    presentSession(await followSession(ctx, slug, sessionId, choice)),
});

export const leaveSessionTool = defineMcpTool({
  name: 'leave_session',
  title: 'Leave a session',
  description:
    'The person whose key you use no longer follows it until they write in it or are mentioned. They can still read it.',
  scope: 'sessions:write',
  ...CHANGES,
  input: z.strictObject(SESSION),
  output: Session,
  run: async (ctx, { slug, sessionId }) => presentSession(await leaveSession(ctx, slug, sessionId)),
});
