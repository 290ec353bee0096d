import type { Notification } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { AgentAvatar, Avatar } from '../../ui/marks/avatar.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { cx } from '../../ui/text/cx.ts';
import { Ago } from '../../ui/marks/time.tsx';
import { happened, placeOf } from './notification-words.ts';

interface NotificationRowProps {
  notification: Notification;
  actor: string;
  onRead: (id: string) => void;
}

/** Who did what, where and when, and how the message begins or what the task is called. All of it is one link. */
export function NotificationRow({ notification, actor, onRead }: NotificationRowProps) {
  const { id, messageId, taskNumber, actorUserId, actorAgent } = notification;
  const { sessionName, projectName } = notification;
  const isUnread = notification.readAt === null;
  return (
    <li className="relative flex items-start gap-3 px-4 py-3 hover:bg-hover has-[[data-notification]:focus-visible]:bg-hover">
      <span
        aria-hidden
        className={cx('mt-3 size-2 shrink-0 rounded-full', isUnread && 'bg-accent-strong')}
      />
      {actorAgent === null ? <Avatar name={actor} seed={actorUserId ?? actor} /> : <AgentAvatar />}
      <div className="flex min-w-0 flex-1 flex-col">
        <Link
          {...placeOf(notification)}
          data-notification={id}
          onClick={() => isUnread && onRead(id)}
          className={cx(
            "text-sm wrap-anywhere after:absolute after:inset-0 after:content-['']",
            isUnread ? 'font-semibold' : 'font-medium',
          )}
        >
          {isUnread && <span className="sr-only">Unread: </span>}
          <bdi>{actor}</bdi> {happened(notification)}
        </Link>
        <p className="flex min-w-0 flex-wrap gap-x-1.5 text-note text-muted">
          {sessionName !== null && (
            <>
              <bdi className="max-w-full truncate">{sessionName}</bdi>
              <span aria-hidden>·</span>
            </>
          )}
          {projectName !== null && (
            <>
              <bdi className="max-w-full truncate">{projectName}</bdi>
              <span aria-hidden>·</span>
            </>
          )}
          <Ago at={notification.createdAt} />
        </p>
        {(messageId !== null || taskNumber !== null) && (
          <p dir="auto" className="mt-1 line-clamp-2 text-sm wrap-anywhere">
            {taskNumber !== null && `#${taskNumber} `}
            {notification.text}
          </p>
        )}
      </div>
      {isUnread && (
        <IconButton
          label="Mark as read"
          className="relative"
          icon={Check}
          onClick={() => onRead(id)}
        />
      )}
    </li>
  );
}
