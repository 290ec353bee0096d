import type { Message } from '@atrium/sdk';
import {
  Brain,
  Copy,
  Ellipsis,
  Link,
  ListChecks,
  MailOpen,
  MessageSquareReply,
  Pencil,
  RefreshCw,
  SmilePlus,
  Trash2,
} from 'lucide-react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { IconButton } from '../../../ui/controls/button.tsx';
import { copyText } from '../../../ui/controls/copy-text.ts';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/controls/menu.tsx';
import { linkToMessage } from '../links.ts';
import { useSession } from '../session-context.ts';
import { useMessageActions } from '../use-message-actions.ts';
import { KeepItems } from './keep-items.tsx';
import { Regenerate } from './regenerate.tsx';
import { QuickReactions, ReactionPicker } from './reaction-picker.tsx';

export type Popup = 'actions' | 'react';

interface ToolbarProps {
  message: Message;
  popup: Popup | null;
  onPopup: (popup: Popup | null) => void;
  onEdit: () => void;
  /** Replies have no threads of their own. */
  isInThread: boolean;
}

/** Actions for the hovered or focused message. */
export function MessageToolbar({ message, popup, onPopup, onEdit, isInThread }: ToolbarProps) {
  const actions = useMessageActions();
  const { slug, canWrite, messages } = useSession();
  const { org, isAdmin } = useWorkspace();
  const isGone = message.deletedAt !== null;
  const canChange = canWrite && !isGone;
  const canEdit = canChange && message.authorUserId === actions.userId;
  const canDelete = canEdit || (canChange && isAdmin);
  const question =
    message.authorKind === 'USER' ? message : messages.main.find(message.inReplyToMessageId ?? '');
  const canAskAgain = question !== undefined && actions.canAskAgain(question);
  const link = linkToMessage(org.id, slug, message);
  const canReply = !isInThread && (canWrite || message.replyCount > 0);
  return (
    <div
      role="group"
      aria-label="Message actions"
      className="absolute -top-4 right-2 z-10 print:hidden flex rounded-lg border border-line bg-raised p-0.5 shadow-md"
    >
      {canChange && (
        <>
          <QuickReactions message={message} />
          <ReactionPicker
            message={message}
            isOpen={popup === 'react'}
            onOpenChange={(isOpen) => onPopup(isOpen ? 'react' : null)}
          />
        </>
      )}
      {canAskAgain && message.authorKind === 'AGENT' && <Regenerate question={question} />}
      {canReply && (
        <IconButton
          label="Reply in thread"
          icon={MessageSquareReply}
          onClick={() => actions.openThread(message)}
        />
      )}
      <Menu
        open={popup === 'actions'}
        onOpenChange={(isOpen) => onPopup(isOpen ? 'actions' : null)}
        trigger={<IconButton label="More actions" icon={Ellipsis} />}
      >
        {canChange && (
          <MenuItem
            icon={SmilePlus}
            // After the menu has closed, which would take focus back.
            onSelect={() => setTimeout(() => onPopup('react'))}
          >
            Add reaction
          </MenuItem>
        )}
        {canReply && (
          <MenuItem icon={MessageSquareReply} onSelect={() => actions.openThread(message)}>
            Reply in thread
          </MenuItem>
        )}
        <MenuItem icon={Link} onSelect={() => void copyText(link, 'Link copied')}>
          Copy link
        </MenuItem>
        <MenuItem icon={MailOpen} onSelect={() => actions.markUnread(message)}>
          Mark as unread
        </MenuItem>
        {!isGone && (
          <>
            <MenuItem icon={Copy} onSelect={() => void copyText(message.body, 'Text copied')}>
              Copy text
            </MenuItem>
            <MenuItem icon={Brain} onSelect={() => actions.openDialog('remember', message)}>
              Remember this
            </MenuItem>
            <KeepItems message={message} />
            {canWrite && (
              <MenuItem icon={ListChecks} onSelect={() => actions.makeTask(message)}>
                Make a task
              </MenuItem>
            )}
          </>
        )}
        {(canDelete || canAskAgain) && <MenuSeparator />}
        {canAskAgain && (
          <MenuItem icon={RefreshCw} onSelect={() => actions.askAgain(question)}>
            {message === question ? 'Ask again' : 'Regenerate'}
          </MenuItem>
        )}
        {canEdit && (
          <MenuItem icon={Pencil} onSelect={onEdit}>
            {canAskAgain ? 'Edit and ask again' : 'Edit'}
          </MenuItem>
        )}
        {canDelete && (
          <MenuItem
            tone="danger"
            icon={Trash2}
            onSelect={() => actions.openDialog('delete', message)}
          >
            Delete
          </MenuItem>
        )}
      </Menu>
    </div>
  );
}
