import type { Message, Session } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { usePeople } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { copyText } from '../../ui/controls/copy-text.ts';
import { toastError } from '../../ui/layers/toast.tsx';
import { useShellActions } from '../../shared/shell-actions.ts';
import { toggleReaction, type MessageActions } from './actions.tsx';
import { useAnswerers } from './answerers.ts';
import { linkToMessage } from './links.ts';
import { rememberSession } from './queries.ts';
import type { SessionMessages } from './store/session-messages.ts';

/** A dialog about a message. */
export interface OpenDialog {
  about: 'delete' | 'remember';
  message: Message;
}

interface ActionParts {
  messages: SessionMessages;
  slug: string;
  session: Session;
  canWrite: boolean;
  openThread: (message: Message) => void;
  onUnread: (message: Message) => void;
  /** Focuses a message again, after what was opened from it is closed. */
  focus: (message: Message) => void;
}

/** One per list, because a dialog returns focus to the list it was opened from. */
export function useActions(parts: ActionParts) {
  const { messages, slug, session, canWrite, openThread, onUnread, focus } = parts;
  const { openNewTask } = useShellActions();
  const queryClient = useQueryClient();
  const { client, org, profile, isAdmin } = useWorkspace();
  const person = usePeople();
  const { agentName, answererOf } = useAnswerers(slug, session);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const { userId } = profile;
  const actions = useMemo<MessageActions>(
    () => ({
      slug,
      session,
      canWrite,
      userId,
      person,
      agentName,
      answererOf,
      openThread,
      toggleReaction(message, emoji) {
        const reaction = message.reactions.find((one) => one.emoji === emoji);
        const isMine = reaction?.userIds.includes(userId) ?? false;
        messages
          .change(
            message.id,
            (shown) => toggleReaction(shown, emoji, userId),
            async () =>
              isMine
                ? client.messages.unreact(slug, message.id, emoji)
                : client.messages.react(slug, message.id, { emoji }),
          )
          .catch(toastError);
      },
      copyLink: (message) => void copyText(linkToMessage(org.id, slug, message), 'Link copied'),
      copyText: (message) => void copyText(message.body, 'Text copied'),
      remember: (message) => setDialog({ about: 'remember', message }),
      markUnread(message) {
        onUnread(message);
        client.sessions
          .markUnread(slug, session.id, { messageId: message.id })
          .then((changed) => rememberSession(queryClient, org.id, slug, changed), toastError);
      },
      makeTask: (message) =>
        openNewTask({
          slug,
          title: titleFrom(message.body),
          sourceMessageId: message.id,
          onClosed: () => focus(message),
        }),
      askToDelete: (message) => setDialog({ about: 'delete', message }),
      edit: (message, body) =>
        messages.change(
          message.id,
          (shown) => shown,
          async () => client.messages.edit(slug, message.id, { body }),
        ),
      retry: (message) => void messages.retryReply(message.id).catch(toastError),
      stop: (questionId, mention) => messages.stopReply(questionId, mention),
      canSteer: (askerId) => canWrite && (isAdmin || askerId === userId),
      canEdit: (message) => canWrite && !message.deletedAt && message.authorUserId === userId,
      canDelete: (message) =>
        canWrite && !message.deletedAt && (isAdmin || message.authorUserId === userId),
    }),
    [
      messages,
      client,
      org.id,
      slug,
      session,
      canWrite,
      userId,
      person,
      agentName,
      answererOf,
      isAdmin,
      openThread,
      onUnread,
      focus,
      openNewTask,
      queryClient,
    ],
  );
  const close = () => {
    if (dialog) focus(dialog.message);
    setDialog(null);
  };
  return { actions, dialog, close };
}

const LONGEST_TITLE = 200;

/** The first line of a message, without Markdown's marks around it. */
function titleFrom(body: string): string {
  const line = body.split('\n').find((one) => /[\p{L}\p{N}]/u.test(one)) ?? '';
  const plain = line.replace(/^[\s#>*\-+]+/, '').replaceAll(/[*`]/g, '');
  return plain.trim().slice(0, LONGEST_TITLE).toWellFormed();
}
