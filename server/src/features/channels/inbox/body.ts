import { fillText, mentionedIn } from '../../../adapters/chat/provider.ts';
import type { ChannelContext } from '../channel-context.ts';
import { findPerson } from './people.ts';

const LONGEST_BODY = 20_000;
const TRUNCATED = '\n\n*(Truncated: the message was too long.)*';
const NO_TEXT = '*(A message without text)*';

/** A message body, and the part of it that its author wrote. Only there do mentions count. */
export interface ArrivedBody {
  body: string;
  written: string;
}

/** A text of the chat system as a message body. Mentions of our bot ask whoever usually answers. */
export async function bodyOf(
  ctx: ChannelContext,
  sessionId: string,
  text: string,
  hasFiles = false,
): Promise<ArrivedBody> {
  const names = new Map<string, Awaited<ReturnType<typeof nameOf>>>();
  for (const userId of mentionedIn(text)) names.set(userId, await nameOf(ctx, sessionId, userId));
  const filled = fillText(text, (userId) => names.get(userId) ?? { name: '' });
  const clean = cleanOf(filled.text);
  return {
    body: clean.trim() === '' ? (hasFiles ? '' : NO_TEXT) : shorten(clean),
    written: shorten(cleanOf(filled.written)),
  };
}

function cleanOf(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** Somebody outside is not mentioned: their name may be that of a member, or of an agent. */
async function nameOf(
  ctx: ChannelContext,
  sessionId: string,
  userId: string,
): Promise<{ mention: string } | { name: string }> {
  if (userId === ctx.connection.botId) return { mention: '@model' };
  const { name, member } = await findPerson(ctx, sessionId, userId);
  if (member?.handle != null) return { mention: `@${member.handle}` };
  return { name: name === '' ? 'somebody' : name };
}

function shorten(text: string): string {
  if (text.length <= LONGEST_BODY) return text;
  const characters = Array.from(text);
  if (characters.length <= LONGEST_BODY) return text;
  return characters.slice(0, LONGEST_BODY - TRUNCATED.length).join('') + TRUNCATED;
}
