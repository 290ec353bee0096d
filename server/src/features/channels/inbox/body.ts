import { fillMentions, mentionedIn } from '../../../adapters/chat/provider.ts';
import type { ChannelContext } from '../channel-context.ts';
import { findPerson } from './people.ts';

const LONGEST_BODY = 20_000;
const TRUNCATED = '\n\n*(Truncated: the message was too long.)*';
const NO_TEXT = '*(A message without text)*';

/** A text of the chat system as a message body. Mentions of our bot ask whoever usually answers. */
export async function bodyOf(
  ctx: ChannelContext,
  sessionId: string,
  text: string,
): Promise<string> {
  const names = new Map<string, string>();
  for (const userId of mentionedIn(text)) names.set(userId, await nameOf(ctx, sessionId, userId));
  const filled = fillMentions(text, (userId) => names.get(userId) ?? '');
  const clean = filled.replaceAll('\0', '').toWellFormed();
  return clean.trim() === '' ? NO_TEXT : shorten(clean);
}

/** Somebody outside is not mentioned: their name may be that of a member, or of an agent. */
async function nameOf(ctx: ChannelContext, sessionId: string, userId: string): Promise<string> {
  if (userId === ctx.connection.botId) return '@model';
  const { name, member } = await findPerson(ctx, sessionId, userId);
  if (member?.handle != null) return `@${member.handle}`;
  return name === '' ? 'somebody' : name;
}

function shorten(text: string): string {
  if (text.length <= LONGEST_BODY) return text;
  const characters = Array.from(text);
  if (characters.length <= LONGEST_BODY) return text;
  return characters.slice(0, LONGEST_BODY - TRUNCATED.length).join('') + TRUNCATED;
}
