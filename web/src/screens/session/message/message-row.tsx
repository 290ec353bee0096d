import type { Message } from '@atrium/sdk';
import { Ellipsis, MessagesSquare, Pin, RotateCcw } from 'lucide-react';
import { memo, useState, type FocusEvent, type ReactNode } from 'react';
import { isExternal, nameAuthor } from '../../../data/queries.ts';
import { AgentAvatar, Avatar } from '../../../ui/marks/avatar.tsx';
import { AgentBadge, Badge } from '../../../ui/marks/badge.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { closablePart, quietPart } from '../../../ui/layers/part-boundary.tsx';
import { Clock } from '../../../ui/marks/time.tsx';
import { toastError } from '../../../ui/layers/toast.tsx';
import { PersonButton } from '../../../shared/person/person-button.tsx';
import { StatusMark } from '../../../shared/person/status-mark.tsx';
import { PROVIDER_NAMES } from '../../../shared/channel-names.ts';
import { MessageContent } from '../content/message-content.tsx';
import { MessageFiles } from '../content/message-files.tsx';
import { usageInWords } from '../content/usage-words.ts';
import type { MessageRowData } from '../list/rows.ts';
import { useSession } from '../session-context.ts';
import { useMessageActions } from '../use-message-actions.ts';
import { PartialReplyText, StopButton } from './partial-reply.tsx';
import { ReactionChips } from './reactions.tsx';
import type { Popup } from './toolbar.tsx';

const MessageToolbar = quietPart(() => import('./toolbar.tsx'), 'MessageToolbar');
const BranchArrows = quietPart(() => import('./branch-arrows.tsx'), 'BranchArrows');
const MessageEditor = closablePart(() => import('./editor.tsx'), 'MessageEditor');

/** Not the row itself, which is another object after every change of the list. */
interface MessageRowProps extends Pick<
  MessageRowData,
  'message' | 'mention' | 'askerId' | 'isCompact'
> {
  isInThread: boolean;
  isFocusable: boolean;
  isHighlighted: boolean;
  isEditing: boolean;
  isRetrying: boolean;
  popup: Popup | null;
  /** From 1. The size is -1 while it is unknown. */
  position: number;
  size: number;
  onPopup: (id: string, popup: Popup | null) => void;
  onEdit: (id: string | null) => void;
}

/** Touch screens have no hover, so the actions button is always shown there. */
const HAS_TOUCH = matchMedia('(any-pointer: coarse)').matches;

export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { message, isCompact, isFocusable, isHighlighted, isEditing, popup } = props;
  const { author, label } = useAuthor(message);
  const used = usageInWords(message);
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isActive = (isHovered || isFocused || popup !== null) && !isEditing;
  return (
    <article
      data-message={message.id}
      tabIndex={isFocusable ? 0 : -1}
      aria-label={label}
      aria-posinset={props.position}
      aria-setsize={props.size}
      onPointerEnter={(event) => setHovered(event.pointerType === 'mouse')}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={({ currentTarget, relatedTarget }: FocusEvent) =>
        setFocused(currentTarget.contains(relatedTarget))
      }
      className={cx(
        'group relative flex gap-3 px-3 transition-colors duration-700 -outline-offset-2 sm:px-6',
        // A line of a group is 28 px high, with the line height of the text.
        // One of several paragraphs is further from the next message than they are from each other.
        isCompact
          ? 'py-[1.8125px] has-[[data-text]>*+*]:py-2'
          : 'pt-3 pb-[1.8125px] has-[[data-text]>*+*]:pb-2',
        isHighlighted ? 'bg-accent-soft' : isActive ? 'bg-touched' : 'bg-ground',
      )}
    >
      <div className="sticky top-1 flex w-9 shrink-0 justify-center self-start pt-0.5">
        {isCompact
          ? isActive && (
              <span
                data-tooltip={used}
                className="absolute top-0.5 -left-3 text-[10px] whitespace-nowrap text-muted"
              >
                <Clock at={message.createdAt} />
                {used && <span className="sr-only">{used}</span>}
              </span>
            )
          : author}
      </div>
      <MessageBody {...props} />
      {HAS_TOUCH && !isActive && !isEditing && (
        <button
          type="button"
          tabIndex={-1}
          aria-label="Message actions"
          className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted"
          onClick={() => props.onPopup(message.id, 'actions')}
        >
          <Ellipsis aria-hidden className="size-4" />
        </button>
      )}
      {isActive && !props.isRetrying && (
        // While it is written again, its heading has Stop in that corner.
        <MessageToolbar
          message={message}
          popup={popup}
          onPopup={(next) => props.onPopup(message.id, next)}
          onEdit={() => props.onEdit(message.id)}
          isInThread={props.isInThread}
        />
      )}
    </article>
  );
});

function MessageBody({
  message,
  mention,
  askerId,
  isCompact,
  isFocusable,
  isEditing,
  isRetrying,
  isInThread,
  onPopup,
  onEdit,
}: MessageRowProps) {
  const { name, origin, userId, status } = useAuthor(message);
  const used = usageInWords(message);
  const retried = {
    questionId: message.inReplyToMessageId ?? '',
    mention: mention ?? message.agentSlug ?? '',
  };
  return (
    <div className="max-w-4xl min-w-0 flex-1 bg-inherit">
      {(!isCompact || isRetrying) && (
        // Of a long message, the author stays in view.
        <div
          className={cx(
            // On a phone, the day is shown at its end while the heading is held.
            'sticky top-0 z-[1] flex min-w-0 gap-2 bg-inherit max-sm:pe-16',
            isRetrying ? '-my-1 items-center py-1' : 'items-baseline',
          )}
        >
          {userId === null ? (
            <bdi className="min-w-0 truncate font-semibold">{name}</bdi>
          ) : (
            <PersonButton
              userId={userId}
              tabIndex={isFocusable ? 0 : -1}
              className="min-h-[24px] min-w-0 truncate font-semibold hover:underline"
            >
              <bdi>{name}</bdi>
            </PersonButton>
          )}
          <StatusMark status={status} />
          {message.authorKind === 'AGENT' && <AgentBadge slug={message.agentSlug} />}
          {origin && (
            <span data-tooltip={origin.details} className="shrink-0">
              <Badge tone={origin.tone}>{origin.badge}</Badge>
            </span>
          )}
          <span data-tooltip={used} className="shrink-0 text-xs text-muted">
            <Clock at={message.createdAt} />
            {used && <span className="sr-only">{used}</span>}
          </span>
          {isRetrying && <StopButton {...retried} askerId={askerId} />}
        </div>
      )}
      {message.pinnedAt && <PinnedNote message={message} />}
      {message.deletedAt ? (
        <p className="text-sm text-muted italic">This message was deleted.</p>
      ) : isEditing ? (
        <>
          <MessageEditor message={message} onClose={() => onEdit(null)} />
          {message.attachments.length > 0 && <MessageFiles files={message.attachments} />}
        </>
      ) : isRetrying ? (
        <PartialReplyText {...retried} />
      ) : (
        <MessageContent message={message} />
      )}
      {message.editedAt && !message.deletedAt && !isEditing && (
        <span className="text-xs text-muted">(edited)</span>
      )}
      {isUnfinished(message) && !isRetrying && <TryAgain {...{ message, askerId }} />}
      {message.branches.length > 1 && !isEditing && <BranchArrows message={message} />}
      <ReactionChips message={message} onAdd={() => onPopup(message.id, 'react')} />
      {!isInThread && message.replyCount > 0 && <Replies message={message} />}
    </div>
  );
}

function PinnedNote({ message }: { message: Message }) {
  const { person } = useMessageActions();
  return (
    <p className="flex min-w-0 items-center gap-1 text-xs text-muted">
      <Pin aria-hidden className="size-3 shrink-0" />
      <span className="truncate">
        Pinned by <bdi>{person(message.pinnedById).name}</bdi>
      </span>
    </p>
  );
}

/** It can be retried in its place. */
function isUnfinished({ status, deletedAt }: Message): boolean {
  return status !== 'COMPLETED' && deletedAt === null;
}

function TryAgain({ message, askerId }: Pick<MessageRowProps, 'message' | 'askerId'>) {
  const { messages } = useSession();
  const { canSteer } = useMessageActions();
  if (!canSteer(askerId)) return null;
  const retry = () => void messages.retryReply(message.id).catch(toastError);
  return (
    <Button size="small" className="my-1" onClick={retry} icon={RotateCcw}>
      Try again
    </Button>
  );
}

function Replies({ message }: { message: Message }) {
  const { openThread } = useMessageActions();
  const count = message.replyCount;
  return (
    <button
      type="button"
      className="mt-1 inline-flex min-h-7 items-center gap-1.5 rounded-md px-1.5 text-note font-medium text-accent hover:bg-accent-soft"
      onClick={() => openThread(message)}
    >
      <MessagesSquare aria-hidden className="size-4" />
      {count === 1 ? '1 reply' : `${count} replies`}
    </button>
  );
}

/** Where a message came from, if it was written in a chat channel, and as whom. */
function originOf(message: Message) {
  if (!message.externalAuthor) return null;
  const { provider, name } = message.externalAuthor;
  const system = PROVIDER_NAMES[provider];
  return isExternal(message)
    ? {
        badge: `via ${system} (external)`,
        details: 'Not a member of this organisation',
        tone: 'warn' as const,
      }
    : { badge: `via ${system}`, details: `${name} on ${system}`, tone: 'plain' as const };
}

/** For the pointer. The name beside it is for the keyboard. */
function PersonMark({ userId, name, children }: PersonMarkProps) {
  if (userId === null) return children;
  return (
    <PersonButton userId={userId} label={name} tabIndex={-1} className="self-start rounded-full">
      {children}
    </PersonButton>
  );
}

interface PersonMarkProps {
  userId: string | null;
  name: string;
  children: ReactNode;
}

const SPOKEN_TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

function useAuthor(message: Message) {
  const { person, agentName } = useMessageActions();
  const { authorKind, authorUserId, externalAuthor, createdAt } = message;
  const name = nameAuthor(message, person, agentName);
  // Of somebody who has left, and of an agent, there is no card.
  const member = authorKind === 'AGENT' || authorUserId === null ? null : person(authorUserId);
  const userId = member?.role ? authorUserId : null;
  const origin = originOf(message);
  const spokenTime = SPOKEN_TIME.format(new Date(createdAt));
  return {
    name,
    origin,
    userId,
    status: member?.status,
    label: [name, origin?.badge, origin?.details, spokenTime].filter(Boolean).join(', '),
    author:
      authorKind === 'AGENT' ? (
        <AgentAvatar slug={message.agentSlug} />
      ) : (
        <PersonMark userId={userId} name={name}>
          <Avatar
            name={name}
            seed={authorUserId ?? externalAuthor?.id ?? name}
            photo={member?.photo}
          />
        </PersonMark>
      ),
  };
}
