import { z } from 'zod';
import { optional } from '../../core/fields.ts';
import { POSTS, projectSlug, READS, size, WRITES } from '../../mcp-endpoint/tool-parts.ts';
import { defineMcpTool } from '../../mcp-endpoint/tool.ts';
import { presentMatches, presentMessage, presentReaction, withoutPreviews } from './present.ts';
import {
  CreateMessage,
  CreateReaction,
  ListMessages,
  Message,
  MessageList,
  MessageMatches,
  Reaction,
  SearchMessages,
} from './schema.ts';
import { react } from './reactions/service.ts';
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
    const list = await listMessages(ctx, { slug, sessionId }, query);
    return { ...list, items: list.items.map(withoutPreviews) };
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
  async run(_ctx, _input, result) {
    const matches = presentMatches(result);
    const items = matches.items.map((match) => ({
      ...match,
      message: withoutPreviews(match.message),
    }));
    return { ...matches, items };
  },
});

export const postMessageTool = defineMcpTool({
  name: 'post_message',
  title: 'Post a message',
  description:
    'Posts a message to a session on behalf of the person whose key you use. Everyone who can read the session can read it. A mention such as @model or @recall makes that model reply in the session. The reply arrives later: pendingReplies lists it until then, and list_messages shows it. @here and @everyone notify nobody.',
  scope: 'messages:write',
  ...POSTS,
  input: CreateMessage.omit({ sendAt: true }).extend({
    slug: projectSlug(),
    sessionId: sessionId(),
  }),
  output: Message,
  run: async (ctx, { slug, sessionId, ...message }) =>
    presentMessage(await postMessage(ctx, { slug, sessionId }, message)),
});

export const reactTool = defineMcpTool({
  name: 'react_to_message',
  title: 'React to a message',
  description:
    'Adds an emoji to a message on behalf of the person whose key you use. Adding the same one twice changes nothing.',
  scope: 'messages:write',
  ...WRITES,
  input: CreateReaction.extend({
    slug: projectSlug(),
    messageId: z.string().meta({ description: "The message's id, from list_messages." }),
  }),
  output: Reaction,
  run: async (ctx, { emoji, ...path }) => presentReaction(await react(ctx, path, { emoji })),
});
