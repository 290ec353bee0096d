import { keys } from '../../../../data/query-keys.ts';
import { inWords } from '../../../../shared/time-choices.ts';
import type { CommandContext, Outcome } from './command.ts';
import { readTime } from './read-time.ts';

/** `me to water the plants tomorrow at 9`. Without a time, a dialog asks for it. */
export async function remind(ctx: CommandContext, args: string): Promise<Outcome> {
  const { at, rest } = readTime(args, ctx.now) ?? { at: undefined, rest: args };
  const text = rest
    .replace(/^me\b\s*/i, '')
    .replace(/^(?:to|that)\s+/i, '')
    .trim();
  if (text === '') return { problem: 'Write after /remind what to remind you of.' };
  if (!at) return { remindOf: text };
  if (at <= ctx.now) return { problem: 'That time has passed. Write one in the future.' };
  const { client, org } = ctx.workspace;
  const { id } = await client.reminders.create({ text, at: at.toISOString() });
  const refetch = () => ctx.queryClient.invalidateQueries({ queryKey: keys.reminders(org.id) });
  void refetch();
  return {
    said: `Reminder set for ${inWords(at)}: ${text}`,
    open: {
      label: 'Show',
      go: () => void ctx.navigate({ to: '/later', search: { show: 'reminders' } }),
    },
    async undo() {
      await client.reminders.cancel(id);
      await refetch();
    },
  };
}
