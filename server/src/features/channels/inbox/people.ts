import { isChatFailure, type ChatUser } from '../../../adapters/chat/provider.ts';
import { emailKey, isEmail, isUnambiguous } from '../../../core/email.ts';
import type { ChannelContext } from '../channel-context.ts';
import { findMember } from './store.ts';

/** Somebody in the channel, and who they are here. */
export interface Person {
  id: string;
  name: string;
  isBot: boolean;
  /** Set if they are a member who may read the session. */
  member: { userId: string; handle: string | null } | undefined;
}

/**
 * Whoever has a member's address there is that member, if they are of the connected workspace and the chat
 * system has verified the address, or a manager trusts it. Rights are those that the member has here, now; nothing in the chat system adds to them.
 */
export async function findPerson(
  ctx: ChannelContext,
  sessionId: string,
  userId: string,
): Promise<Person> {
  const user = await ctx.people.find(userId, () => loadUser(ctx, userId));
  const { name, email, isEmailVerified, isFromElsewhere, isBot } = user;
  const isOfWorkspace = !isBot && !isFromElsewhere;
  const counts = isOfWorkspace && (isEmailVerified || ctx.connection.trustsEmails);
  const isUsable = email !== undefined && isEmail(email) && isUnambiguous(email);
  const member = counts && isUsable ? await findMember(ctx, sessionId, emailKey(email)) : undefined;
  return { id: userId, name, isBot, member };
}

async function loadUser(ctx: ChannelContext, userId: string): Promise<ChatUser> {
  try {
    return await ctx.provider.getUser(userId, ctx.callSignal());
  } catch (error) {
    if (!isChatFailure(error, 'not_found')) throw error;
    const unknown = { isEmailVerified: false, isFromElsewhere: true, isBot: false };
    return { id: userId, name: '', ...unknown };
  }
}
