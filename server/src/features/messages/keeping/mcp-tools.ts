import { z } from 'zod';
import { page, projectSlug, READS, size, WRITES } from '../../../mcp-endpoint/tool-parts.ts';
import { defineMcpTool } from '../../../mcp-endpoint/tool.ts';
import { presentPage } from '../../../lists/present.ts';
import { presentMessage, withoutPreviews } from '../present.ts';
import { Message } from '../schema.ts';
import { PinPage } from './schema.ts';
import { listPins, pinMessage } from './service.ts';

export const listPinsTool = defineMcpTool({
  name: 'list_pins',
  title: 'List pinned messages',
  description:
    'Lists the pinned messages of a session, the last pinned first: what its people want at hand.',
  scope: 'messages:read',
  ...READS,
  input: z.strictObject({
    slug: projectSlug(),
    sessionId: z.string().meta({ description: "The session's id, from list_sessions." }),
    page: page(),
    limit: size(20),
  }),
  output: PinPage,
  run: async (ctx, { slug, sessionId, ...query }) =>
    presentPage(await listPins(ctx, { slug, sessionId }, query), query, (message) =>
      withoutPreviews(presentMessage(message)),
    ),
});

export const pinMessageTool = defineMcpTool({
  name: 'pin_message',
  title: 'Pin a message',
  description:
    'Pins a message in its session, for everyone who can read it. A session has at most 100 pinned messages.',
  scope: 'messages:write',
  ...WRITES,
  input: z.strictObject({
    slug: projectSlug(),
    messageId: z.string().meta({ description: "The message's id, from list_messages." }),
  }),
  output: Message,
  run: async (ctx, path) => withoutPreviews(presentMessage(await pinMessage(ctx, path))),
});
