import { DIRECT_SLUG } from '../../../../data/direct.ts';
import type { CommandContext, Outcome } from './command.ts';
import { findMentioned } from './mentioned.ts';

export async function openDirect(ctx: CommandContext, args: string): Promise<Outcome> {
  const { people, unknown, rest } = findMentioned(args, ctx.members);
  if (unknown.length > 0) return { problem: `Nobody has the handle ${unknown[0]}.` };
  if (people.length === 0) return { problem: 'Write @ and a person after /dm.' };
  const { client } = ctx.workspace;
  const { id } = await client.sessions.openDirect({ userIds: people.map(({ userId }) => userId) });
  if (rest !== '') await client.messages.post(DIRECT_SLUG, id, { body: rest });
  const params = { slug: DIRECT_SLUG, sessionId: id };
  void ctx.navigate({ to: '/p/$slug/s/$sessionId', params });
  return { isOpened: true };
}
