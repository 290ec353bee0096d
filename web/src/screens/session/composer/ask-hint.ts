import type { Member, Message } from '@atrium/sdk';

type Sent = Pick<Message, 'body' | 'mentions' | 'mentionedUserIds' | 'pendingReplies'> &
  Partial<Pick<Message, 'broadcast'>>;

interface Known {
  /** The slug of who answers here if nobody is named. */
  usual: string;
  /** They also answer without a mention, but not while others take part. */
  isForOne: boolean;
  members: readonly Pick<Member, 'userId' | 'name' | 'email' | 'handle'>[];
}

/** The server notifies no more. Whoever comes after them is not somebody without access. */
const MOST_NOTIFIED = 50;

/** After a message that reached nobody: why, or how to ask. Undefined if somebody answers or was told. */
export function hintAfter(message: Sent, { usual, isForOne, members }: Known): string | undefined {
  const { body, mentions, mentionedUserIds, pendingReplies } = message;
  const answering = new Set(pendingReplies.map(({ mention }) => mention));
  const outsider = members.find(
    ({ userId, handle }) =>
      handle !== null &&
      mentions.includes(handle) &&
      !answering.has(handle) &&
      !mentionedUserIds.includes(userId),
  );
  if (outsider && mentionedUserIds.length < MOST_NOTIFIED) {
    return `${outsider.name} can’t read this session and was not notified.`;
  }
  if (answering.size > 0 || mentionedUserIds.length > 0 || message.broadcast) return undefined;
  const howTo = isForOne
    ? `Mention @${usual} to ask, because others take part in this session.`
    : `Mention @${usual} to ask.`;
  if (mentions.length === 0) return howTo;
  const [written = `@${mentions[0]}`] = /@[\p{L}\p{M}\p{N}_-]+/u.exec(body) ?? [];
  return `Nobody here answers to ${written}. ${howTo}`;
}
