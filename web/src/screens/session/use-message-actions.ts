import type { Message, RetryMessage } from '@atrium/sdk';
import { createContext, useContext, useMemo, useState } from 'react';
import { useChannel, usePeople } from '../../data/queries.ts';
import { LONGEST_TITLE } from '../../data/task-title.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { toastError } from '../../ui/layers/toast.tsx';
import { useShellActions } from '../../shared/shell-actions.ts';
import { useAnswerers } from './answerers.ts';
import { toggleReaction } from './reactions.ts';
import { useRememberSession } from './queries.ts';
import { useSession } from './session-context.ts';

/** A dialog about a message. */
export interface OpenDialog {
  about: 'delete' | 'remember' | 'remind';
  message: Message;
}

type ForMessage = (message: Message) => void;

interface ActionParts {
  openThread: ForMessage;
  onUnread: ForMessage;
  /** Focuses a message again, after what was opened from it is closed. */
  focus: ForMessage;
}

/** One per list, because a dialog returns focus to the list it was opened from. */
export function useActions({ openThread, onUnread, focus }: ActionParts) {
  const { slug, session, messages, canWrite } = useSession();
  const isInProject = session.kind === 'PROJECT';
  const { openNewTask } = useShellActions();
  const { client, profile, isAdmin } = useWorkspace();
  const person = usePeople();
  const { agentName, answererOf, answers, isAlone, plainAnswerer } = useAnswerers();
  const isChannel = useChannel(session) !== undefined;
  const canBranch = canWrite && isAlone && !isChannel && session.taskId === null;
  const answersPlainly = plainAnswerer !== undefined;
  const remember = useRememberSession();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const { userId } = profile;
  // One object while a session is open, so that rows don't re-render.
  const actions = useMemo(
    () => ({
      userId,
      /** Looked up once for the list instead of in every row. */
      person,
      agentName,
      /** The name of who answers this mention here. */
      answererOf,
      answers,
      openThread,
      toggleReaction: (message: Message, emoji: string) => {
        const reaction = message.reactions.find((one) => one.emoji === emoji);
        const isMine = reaction?.userIds.includes(userId) ?? false;
        messages
          .change(
            message.id,
            async () =>
              isMine
                ? client.messages.unreact(slug, message.id, emoji)
                : client.messages.react(slug, message.id, { emoji }),
            (shown) => toggleReaction(shown, emoji, userId),
          )
          .catch(toastError);
      },
      openDialog: (about: OpenDialog['about'], message: Message) => setDialog({ about, message }),
      markUnread: (message: Message) => {
        onUnread(message);
        client.sessions
          .markUnread(slug, session.id, { messageId: message.id })
          .then(remember, toastError);
      },
      makeTask: (message: Message) =>
        openNewTask({
          // A direct conversation is in no project, so the person chooses one.
          ...(isInProject && { slug, sourceMessageId: message.id }),
          title: titleFrom(message.body),
          onClosed: () => focus(message),
        }),
      /** A question of somebody who is alone with agents. What it replaces is kept as a branch. */
      canAskAgain: (message: Message) =>
        canBranch &&
        message.authorUserId === userId &&
        message.parentMessageId === null &&
        message.deletedAt === null &&
        (answersPlainly || message.branches.length > 0 || message.mentions.some(answers)),
      askAgain: (message: Message, params: RetryMessage = {}) =>
        void messages.askAgain(message.id, params).then(focus, toastError),
      focusAsked: focus,
      showBranch: (messageId: string | undefined) => {
        if (messageId === undefined || !canBranch) return;
        messages.showBranch(messageId).then(focus, toastError);
      },
      /** Who asked, owners and admins may stop a reply, or retry it. */
      canSteer: (askerId: string | null) => canWrite && (isAdmin || askerId === userId),
    }),
    [
      messages,
      client,
      slug,
      session.id,
      isInProject,
      canWrite,
      userId,
      person,
      agentName,
      answererOf,
      answers,
      canBranch,
      answersPlainly,
      isAdmin,
      openThread,
      onUnread,
      focus,
      openNewTask,
      remember,
    ],
  );
  const close = () => {
    if (dialog) focus(dialog.message);
    setDialog(null);
  };
  return { actions, dialog, close };
}

/** What can be done to a message. */
export type MessageActions = ReturnType<typeof useActions>['actions'];

export const MessageActionsContext = createContext<MessageActions | undefined>(undefined);

export function useMessageActions(): MessageActions {
  const actions = useContext(MessageActionsContext);
  if (!actions) throw new Error('useMessageActions needs a session around it');
  return actions;
}

/** The first line of a message, without Markdown's marks around it. */
function titleFrom(body: string): string {
  const line = body.split('\n').find((one) => /[\p{L}\p{N}]/u.test(one)) ?? '';
  const plain = line.replace(/^[\s#>*\-+]+/, '').replaceAll(/[*`]/g, '');
  return plain.trim().slice(0, LONGEST_TITLE).toWellFormed();
}
