import { z } from 'zod';
import { optional } from '../../core/fields.ts';
import { POSTS, projectSlug, READS, size } from '../../mcp-endpoint/tool-parts.ts';
import { defineMcpTool } from '../../mcp-endpoint/tool.ts';
import { presentMatches, presentMessage } from './present.ts';
import {
  CreateMessage,
  ListMessages,
  Message,
  MessageList,
  MessageMatches,
  SearchMessages,
} from './schema.ts';
import { searchMessages } from './search/service.ts';
import { listMessages, postMessage } from './service.ts';

const sessionId = () => z.string().meta({ description: "The session's id, from list_sessions." });

export const listMessagesTool = defineMcpTool({
  name: 'list_messages',
  title: 'List messages',
  description:
    'Lists the messages of a session, newest first. For older ones, send nextBefore from the last result as before.',
  scope: 'messages:read',
  ...READS,
  input: z.strictObject({
    slug: projectSlug(),
    sessionId: sessionId(),
    before: optional(ListMessages.shape.before),
    around: optional(ListMessages.shape.around),
    parentMessageId: optional(ListMessages.shape.parentMessageId),
    limit: size(50),
  }),
  output: MessageList,
  async run(ctx, { slug, sessionId, ...query }) {
    return listMessages(ctx, slug, sessionId, query);
  },
});

export const searchMessagesTool = defineMcpTool({
  name: 'search_messages',
  title: 'Search messages',
  description:
    "Searches the messages of all sessions that you may read by their words. Messages with more of the words, and with rarer ones, come first. Put a phrase that must occur in double quotes. To read what was said before and after a match, send its id as around to list_messages, with the match's project.slug and session.id.",
  scope: 'messages:read',
  ...READS,
  input: SearchMessages,
  output: MessageMatches,
  prepare: (ctx, input) => searchMessages(ctx, input),
  run: async (_ctx, _input, result) => presentMatches(result),
});

export const postMessageTool = defineMcpTool({
  name: 'post_message',
  title: 'Post a message',
  description:
    'Posts a message to a session on behalf of the person whose key you use. Everyone who can read the session can read it. A mention such as @model or @recall makes that model reply in the session. The reply arrives later: pendingReplies lists it until then, and list_messages shows it.',
  scope: 'messages:write',
  ...POSTS,
  input: CreateMessage.extend({ slug: projectSlug(), sessionId: sessionId() }),
  output: Message,
  run: async (ctx, { slug, sessionId, ...message }) =>
    presentMessage(await postMessage(ctx, slug, sessionId, message)),
});
