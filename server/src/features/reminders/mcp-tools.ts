import { z } from 'zod';
import { CHANGES, page, READS, size, WRITES } from '../../mcp-endpoint/tool-parts.ts';
import { defineMcpTool } from '../../mcp-endpoint/tool.ts';
import { presentPage } from '../../lists/present.ts';
import { presentReminder } from './present.ts';
import { CreateReminder, Reminder, ReminderPage } from './schema.ts';
import { cancelReminder, createReminder, listReminders } from './service.ts';

export const listRemindersTool = defineMcpTool({
  name: 'list_reminders',
  title: 'List reminders',
  description: 'Lists your reminders that are not due yet, the next one first.',
  scope: 'notifications:read',
  ...READS,
  input: z.strictObject({ page: page(), limit: size(20) }),
  output: ReminderPage,
  run: async (ctx, input) => presentPage(await listReminders(ctx, input), input, presentReminder),
});

export const createReminderTool = defineMcpTool({
  name: 'create_reminder',
  title: 'Set a reminder',
  description:
    'Reminds the person whose key you use, once, at a time: of a message, of a task, or of a text. Send one of messageId, taskId and text. They are told in their inbox.',
  scope: 'notifications:write',
  ...WRITES,
  input: CreateReminder,
  output: Reminder,
  run: async (ctx, input) => presentReminder(await createReminder(ctx, input)),
});

export const cancelReminderTool = defineMcpTool({
  name: 'cancel_reminder',
  title: 'Cancel a reminder',
  description: 'Cancels one of your reminders before its time.',
  scope: 'notifications:write',
  ...CHANGES,
  input: z.strictObject({
    id: z.string().meta({ description: "The reminder's id, from list_reminders." }),
  }),
  output: z.object({ id: z.string() }),
  async run(ctx, { id }) {
    await cancelReminder(ctx, id);
    return { id };
  },
});
