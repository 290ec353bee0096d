import type { Message, Session } from '@atrium/sdk';
import { createContext, useContext } from 'react';
import type { KnownPerson } from '../../data/queries.ts';

/** The reactions the API knows, in its order, with their names for screen readers. */
export const EMOJIS = {
  '👍': 'thumbs up',
  '👎': 'thumbs down',
  '😄': 'smile',
  '😕': 'confused',
  '❤️': 'heart',
  '🎉': 'party',
  '🚀': 'rocket',
  '👀': 'eyes',
  '✅': 'check mark',
} as const;

export type Emoji = keyof typeof EMOJIS;

/** What can be done to a message. One object while a session is open, so that rows don't re-render. */
export interface MessageActions {
  slug: string;
  session: Session;
  /** False in an archived session or project. */
  canWrite: boolean;
  userId: string;
  /** Looked up once for the list instead of in every row. */
  person: (userId: string | null) => KnownPerson;
  agentName: (slug: string) => string;
  /** The name of who answers this mention here. */
  answererOf: (mention: string) => string;
  toggleReaction: (message: Message, emoji: string) => void;
  openThread: (message: Message) => void;
  copyLink: (message: Message) => void;
  copyText: (message: Message) => void;
  remember: (message: Message) => void;
  markUnread: (message: Message) => void;
  makeTask: (message: Message) => void;
  edit: (message: Message, body: string) => Promise<void>;
  askToDelete: (message: Message) => void;
  retry: (message: Message) => void;
  /** Ends a reply that is being written. What was written stays. */
  stop: (questionId: string, mention: string) => Promise<void>;
  /** Who asked, owners and admins may stop a reply, or retry it. */
  canSteer: (askerId: string | null) => boolean;
  canEdit: (message: Message) => boolean;
  canDelete: (message: Message) => boolean;
}

const ActionsContext = createContext<MessageActions | undefined>(undefined);

export const MessageActionsProvider = ActionsContext.Provider;

export function useMessageActions(): MessageActions {
  const actions = useContext(ActionsContext);
  if (!actions) throw new Error('useMessageActions needs a session around it');
  return actions;
}

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
