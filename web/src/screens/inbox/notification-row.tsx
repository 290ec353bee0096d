import type { Notification } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { AlarmClock, CalendarX2, Check } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { DIRECT_SLUG } from '../../data/direct.ts';
import { AgentAvatar } from '../../ui/marks/avatar.tsx';
import { PersonAvatar } from '../../shared/person/person-avatar.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { cx } from '../../ui/text/cx.ts';
import { withLocalDays } from '../../shared/plain-words.ts';
import { Ago } from '../../ui/marks/time.tsx';
import { happened, placeOf } from './notification-words.ts';

interface NotificationRowProps {
  notification: Notification;
  actor: string;
  onRead: (id: string) => void;
}

/** Who did what, where and when, and how the message begins or what the task is called. All of it is one link. */
export function NotificationRow({ notification, actor, onRead }: NotificationRowProps) {
  const { id, kind, messageId, taskNumber, actorUserId, actorAgent } = notification;
  const { sessionName, projectName, projectSlug } = notification;
  // A direct conversation is in no project.
  const where = projectSlug === DIRECT_SLUG ? { projectName } : { sessionName, projectName };
  const places = Object.entries(where).filter(([, name]) => name !== null);
  const isUnread = notification.readAt === null;
  return (
    <li className="relative flex items-start gap-3 px-4 py-3 hover:bg-hover has-[[data-notification]:focus-visible]:bg-hover">
      <span
        aria-hidden
        className={cx('mt-3 size-2 shrink-0 rounded-full', isUnread && 'bg-accent-strong')}
      />
      <Face kind={kind}>
        {actorAgent === null ? (
          <PersonAvatar userId={actorUserId} name={actor} />
        ) : (
          <AgentAvatar slug={actorAgent} />
        )}
      </Face>
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
          {places.map(([kind, name]) => (
            <Fragment key={kind}>
              <bdi className="max-w-full truncate">{name}</bdi>
              <span aria-hidden>·</span>
            </Fragment>
          ))}
          <Ago at={notification.createdAt} />
        </p>
        {(messageId !== null || taskNumber !== null || kind === 'REMINDER') && (
          <p dir="auto" className="mt-1 line-clamp-2 text-sm wrap-anywhere">
            {taskNumber !== null && `#${taskNumber} `}
            {withLocalDays(notification.text)}
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

const ICONS = { REMINDER: AlarmClock, SCHEDULED_FAILED: CalendarX2 };

/** What nobody else did has an icon instead of a face. */
function Face({ kind, children }: { kind: Notification['kind']; children: ReactNode }) {
  if (kind !== 'REMINDER' && kind !== 'SCHEDULED_FAILED') return children;
  const Icon = ICONS[kind];
  return (
    <span className="flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent">
      <Icon aria-hidden className="size-5" />
    </span>
  );
}
