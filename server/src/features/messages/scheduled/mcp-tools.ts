import { z } from 'zod';
import { moment } from '../../../core/fields.ts';
import {
  CHANGES,
  page,
  POSTS,
  projectSlug,
  READS,
  size,
} from '../../../mcp-endpoint/tool-parts.ts';
import { defineMcpTool } from '../../../mcp-endpoint/tool.ts';
import { presentPage } from '../../../lists/present.ts';
import { CreateMessage } from '../schema.ts';
import { presentScheduled } from './present.ts';
import { ScheduledMessage, ScheduledMessagePage } from './schema.ts';
import { cancelScheduled, listScheduled, scheduleMessage } from './service.ts';

export const scheduleMessageTool = defineMcpTool({
  name: 'schedule_message',
  title: 'Schedule a message',
  description:
    'Posts a message to a session at a later time, on behalf of the person whose key you use, as post_message does now. Their rights are checked again at that time.',
  scope: 'messages:write',
  ...POSTS,
  input: CreateMessage.omit({ sendAt: true }).extend({
    slug: projectSlug(),
    sessionId: z.string().meta({ description: "The session's id, from list_sessions." }),
    sendAt: moment().meta({ description: 'In the future, at most 120 days ahead.' }),
  }),
  output: ScheduledMessage,
  run: async (ctx, { slug, sessionId, ...message }) =>
    presentScheduled(await scheduleMessage(ctx, { slug, sessionId }, message)),
});

export const listScheduledMessagesTool = defineMcpTool({
  name: 'list_scheduled_messages',
  title: 'List scheduled messages',
  description:
    'Lists your messages that are sent later, the next one first, and those that could not be sent.',
  scope: 'messages:read',
  ...READS,
  input: z.strictObject({ page: page(), limit: size(20) }),
  output: ScheduledMessagePage,
  run: async (ctx, input) => presentPage(await listScheduled(ctx, input), input, presentScheduled),
});

export const cancelScheduledMessageTool = defineMcpTool({
  name: 'cancel_scheduled_message',
  title: 'Cancel a scheduled message',
  description: 'Cancels one of your scheduled messages before it is sent.',
  scope: 'messages:write',
  ...CHANGES,
  input: z.strictObject({
    id: z
      .string()
      .meta({ description: "The scheduled message's id, from list_scheduled_messages." }),
  }),
  output: z.object({ id: z.string() }),
  async run(ctx, { id }) {
    await cancelScheduled(ctx, id);
    return { id };
  },
});
