import type { Message } from '@atrium/sdk';
import { Ellipsis, MessagesSquare, RotateCcw } from 'lucide-react';
import { memo, useState, type FocusEvent } from 'react';
import { lazyPart } from '../../../data/parts.ts';
import { isExternal, nameAuthor } from '../../../data/queries.ts';
import { AgentAvatar, Avatar } from '../../../ui/marks/avatar.tsx';
import { Badge } from '../../../ui/marks/badge.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { PartBoundary, quietPart } from '../../../ui/layers/part-boundary.tsx';
import { Clock } from '../../../ui/marks/time.tsx';
import { Tooltip } from '../../../ui/layers/tooltip.tsx';
import { PROVIDER_NAMES } from '../../../shared/channel-names.ts';
import { useMessageActions } from '../actions.tsx';
import { MessageContent } from '../content/message-content.tsx';
import { PartialReplyText, StopButton } from './partial-reply.tsx';
import { ReactionChips } from './reactions.tsx';
import type { Popup } from './toolbar.tsx';

const MessageToolbar = quietPart(() => import('./toolbar.tsx'), 'MessageToolbar');
const MessageEditor = lazyPart(() => import('./editor.tsx'), 'MessageEditor');

export interface MessageRowProps {
  message: Message;
  /** What a reply answers to, and who asked, if it is known. */
  mention: string | null;
  askerId: string | null;
  isCompact: boolean;
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
        'group relative flex gap-3 px-3 transition-colors duration-700 -outline-offset-2 sm:px-4',
        isCompact ? 'py-1.5' : 'pt-4 pb-1.5',
        isHighlighted ? 'bg-accent-soft' : isActive ? 'bg-touched' : 'bg-ground',
      )}
    >
      <div className="sticky top-1 flex w-9 shrink-0 justify-center self-start pt-0.5">
        {isCompact
          ? isActive && (
              <span className="absolute top-0.5 -left-3 text-[10px] whitespace-nowrap text-muted">
                <Clock at={message.createdAt} />
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
      {isActive && (
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
  isEditing,
  isRetrying,
  isInThread,
  onPopup,
  onEdit,
}: MessageRowProps) {
  const { slug } = useMessageActions();
  const { name, origin } = useAuthor(message);
  return (
    <div className="max-w-4xl min-w-0 flex-1 bg-inherit">
      {!isCompact && (
        // Of a long message, the author stays in view.
        <p className="sticky top-0 z-[1] flex min-w-0 items-baseline gap-2 bg-inherit">
          <bdi className="min-w-0 truncate font-semibold">{name}</bdi>
          {message.authorKind === 'AGENT' && <Badge tone="accent">Agent</Badge>}
          {origin && (
            <Tooltip text={origin.details}>
              <span className="shrink-0">
                <Badge tone={origin.tone}>{origin.badge}</Badge>
              </span>
            </Tooltip>
          )}
          <span className="shrink-0 text-xs text-muted">
            <Clock at={message.createdAt} />
          </span>
        </p>
      )}
      {message.deletedAt ? (
        <p className="text-sm text-muted italic">This message was deleted.</p>
      ) : isEditing ? (
        <PartBoundary onClose={() => onEdit(null)}>
          <MessageEditor message={message} onClose={() => onEdit(null)} />
        </PartBoundary>
      ) : isRetrying ? (
        <RetriedReply {...{ message, mention, askerId }} />
      ) : (
        <MessageContent message={message} slug={slug} />
      )}
      {message.editedAt && !message.deletedAt && !isEditing && (
        <span className="text-xs text-muted">(edited)</span>
      )}
      {isUnfinished(message) && !isRetrying && <TryAgain {...{ message, askerId }} />}
      <ReactionChips message={message} onAdd={() => onPopup(message.id, 'react')} />
      {!isInThread && message.replyCount > 0 && <Replies message={message} />}
    </div>
  );
}

/** It can be retried in its place. */
function isUnfinished({ status, deletedAt }: Message): boolean {
  return status !== 'COMPLETED' && deletedAt === null;
}

function RetriedReply({
  message: { inReplyToMessageId, agentSlug },
  mention,
  askerId,
}: Pick<MessageRowProps, 'message' | 'mention' | 'askerId'>) {
  const reply = { questionId: inReplyToMessageId ?? '', mention: mention ?? agentSlug ?? '' };
  return (
    <>
      <PartialReplyText {...reply} />
      <StopButton {...reply} askerId={askerId} />
    </>
  );
}

function TryAgain({ message, askerId }: Pick<MessageRowProps, 'message' | 'askerId'>) {
  const { retry, canSteer } = useMessageActions();
  if (!canSteer(askerId)) return null;
  return (
    <Button size="small" className="my-1" onClick={() => retry(message)} icon={RotateCcw}>
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

const SPOKEN_TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

function useAuthor(message: Message) {
  const { person, agentName } = useMessageActions();
  const { authorKind, authorUserId, externalAuthor, createdAt } = message;
  const name = nameAuthor(message, person, agentName);
  const origin = originOf(message);
  const spokenTime = SPOKEN_TIME.format(new Date(createdAt));
  return {
    name,
    origin,
    label: [name, origin?.badge, origin?.details, spokenTime].filter(Boolean).join(', '),
    author:
      authorKind === 'AGENT' ? (
        <AgentAvatar />
      ) : (
        <Avatar name={name} seed={authorUserId ?? externalAuthor?.id ?? name} />
      ),
  };
}
