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
  SmilePlus,
  Trash2,
} from 'lucide-react';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/controls/menu.tsx';
import { useMessageActions } from '../actions.tsx';
import { ReactionPicker } from './reaction-picker.tsx';

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
  const { canWrite } = actions;
  const canReply = !isInThread && (canWrite || message.replyCount > 0);
  return (
    <div
      role="group"
      aria-label="Message actions"
      className="absolute -top-4 right-2 z-10 print:hidden flex rounded-lg border border-line bg-raised p-0.5 shadow-md"
    >
      {canWrite && !message.deletedAt && (
        <ReactionPicker
          message={message}
          isOpen={popup === 'react'}
          onOpenChange={(isOpen) => onPopup(isOpen ? 'react' : null)}
        />
      )}
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
        <ActionItems {...{ message, onPopup, onEdit, canReply }} />
      </Menu>
    </div>
  );
}

function ActionItems({
  message,
  onPopup,
  onEdit,
  canReply,
}: Pick<ToolbarProps, 'message' | 'onPopup' | 'onEdit'> & { canReply: boolean }) {
  const actions = useMessageActions();
  const isGone = message.deletedAt !== null;
  return (
    <>
      {actions.canWrite && !isGone && (
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
      <MenuItem icon={Link} onSelect={() => actions.copyLink(message)}>
        Copy link
      </MenuItem>
      <MenuItem icon={MailOpen} onSelect={() => actions.markUnread(message)}>
        Mark as unread
      </MenuItem>
      {!isGone && (
        <>
          <MenuItem icon={Copy} onSelect={() => actions.copyText(message)}>
            Copy text
          </MenuItem>
          <MenuItem icon={Brain} onSelect={() => actions.remember(message)}>
            Remember this
          </MenuItem>
          {actions.canWrite && (
            <MenuItem icon={ListChecks} onSelect={() => actions.makeTask(message)}>
              Make a task
            </MenuItem>
          )}
        </>
      )}
      {(actions.canEdit(message) || actions.canDelete(message)) && <MenuSeparator />}
      {actions.canEdit(message) && (
        <MenuItem icon={Pencil} onSelect={onEdit}>
          Edit
        </MenuItem>
      )}
      {actions.canDelete(message) && (
        <MenuItem tone="danger" icon={Trash2} onSelect={() => actions.askToDelete(message)}>
          Delete
        </MenuItem>
      )}
    </>
  );
}
