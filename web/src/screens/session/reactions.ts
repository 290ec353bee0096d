import type { Message } from '@atrium/sdk';

/** The reactions after this person's is added or removed. */
export function toggleReaction(message: Message, emoji: string, userId: string): Message {
  const old = message.reactions.find((reaction) => reaction.emoji === emoji);
  if (!old) {
    const mine = { emoji, count: 1, userIds: [userId] };
    return { ...message, reactions: [...message.reactions, mine] };
  }
  const isMine = old.userIds.includes(userId);
  const userIds = isMine ? old.userIds.filter((id) => id !== userId) : [...old.userIds, userId];
  // People in a mapped channel count too, and are not in the list.
  const count = old.count + userIds.length - old.userIds.length;
  const reactions = message.reactions
    .map((reaction) => (reaction === old ? { emoji, count, userIds } : reaction))
    .filter(({ count }) => count > 0);
  return { ...message, reactions };
}
