import { z } from 'zod';
import { optional } from '../../core/fields.ts';
import { READS, size } from '../../mcp-endpoint/tool-parts.ts';
import { defineMcpTool } from '../../mcp-endpoint/tool.ts';
import { presentList } from './present.ts';
import { ListNotifications, NotificationList } from './schema.ts';
import { listNotifications } from './service.ts';

export const listNotificationsTool = defineMcpTool({
  name: 'list_notifications',
  title: 'List notifications',
  description:
    'Lists what you were told, newest first: who mentioned you, who replied in your threads, which agents answered you, who assigned you a task or finished one that you created, and your reminders. The text is the beginning of the message, which list_messages with around shows in full, or the title of the task. For older ones, send nextBefore from the last result as before.',
  scope: 'notifications:read',
  ...READS,
  input: z.strictObject({
    unread: optional(z.boolean())
      .transform((value) => value ?? false)
      .meta({ description: 'Only unread ones. Default: false.' }),
    before: optional(ListNotifications.shape.before),
    limit: size(20),
  }),
  output: NotificationList,
  run: async (ctx, input) => presentList(await listNotifications(ctx, input)),
});
