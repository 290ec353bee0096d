import { Clock, ListChecks, MessageCircle, Smile, UserRound } from 'lucide-react';
import { useLayoutEffect } from 'react';
import { usePeople, type KnownPerson } from '../../data/queries.ts';
import { usePresence } from '../../data/presence.ts';
import { useOpenDirect } from '../../data/use-open-direct.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Avatar } from '../../ui/marks/avatar.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { toastError } from '../../ui/layers/toast.tsx';
import { placeAbove } from '../../ui/layers/place-above.ts';
import { Ago, useTicking } from '../../ui/marks/time.tsx';
import { ROLE_NAMES } from '../roles.ts';
import { useShellActions } from '../shell-actions.ts';
import { localTime } from './local-time.ts';
import { PRESENCE_NAMES, PresenceDot } from './presence-dot.tsx';
import { useShownPerson } from './use-shown-person.ts';

/**
 * The card about whoever is pointed at, has focus or was pressed. One for the whole app. It says what everybody
 * in the organisation knows, and nothing about projects.
 */
export function PersonCardLayer() {
  const { shown, card, close } = useShownPerson();
  const person = usePeople();
  useLayoutEffect(() => {
    const box = card.current;
    if (!shown || !box) return;
    if (!box.matches(':popover-open')) box.showPopover();
    placeAbove(box, shown.anchor.getBoundingClientRect(), 'start');
    if (shown.isPinned && !box.contains(document.activeElement)) box.focus({ preventScroll: true });
  }, [shown, card]);
  const userId = shown?.anchor.dataset['person'];
  if (userId === undefined) return null;
  const known = person(userId);
  return (
    <div
      ref={card}
      popover="manual"
      role="dialog"
      aria-label={known.name}
      tabIndex={-1}
      className="fixed inset-auto m-0 w-80 max-w-[calc(100vw-1rem)] rounded-xl border border-line bg-raised p-4 text-ink shadow-xl outline-none transition-opacity duration-150 motion-reduce:transition-none starting:opacity-0"
    >
      <Card key={userId} {...{ userId, known }} onDone={close} />
    </div>
  );
}

interface CardProps {
  userId: string;
  known: KnownPerson;
  onDone: () => void;
}

function Card({ userId, known, onDone }: CardProps) {
  const { profile } = useWorkspace();
  const { name, handle, role, title, photo, status, timeZone } = known;
  const isMe = userId === profile.userId;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-start gap-3">
        <Avatar name={name} seed={userId} photo={photo} size="huge" />
        <div className="flex min-h-16 min-w-0 flex-col justify-center">
          <p dir="auto" className="font-semibold wrap-anywhere">
            {name}
            {isMe && <span className="font-normal text-muted"> (you)</span>}
          </p>
          {title && (
            <p dir="auto" className="text-sm wrap-anywhere">
              {title}
            </p>
          )}
          <p className="text-note wrap-anywhere text-muted">
            {[handle && `@${handle}`, role && ROLE_NAMES[role]].filter(Boolean).join(' · ')}
          </p>
          {!isMe && <PresenceLine userId={userId} />}
        </div>
      </div>
      {status && (
        <p dir="auto" className="flex items-start gap-2 rounded-lg bg-hover px-3 py-2 text-sm">
          <span aria-hidden>{status.emoji ?? '💬'}</span>
          <span className="min-w-0 wrap-anywhere">
            {status.text}
            {status.until && (
              <span className="block text-note text-muted">
                Ends <Ago at={status.until} />
              </span>
            )}
          </span>
        </p>
      )}
      {timeZone && <LocalTime timeZone={timeZone} />}
      {role && <Actions {...{ userId, isMe, onDone }} />}
    </div>
  );
}

function PresenceLine({ userId }: { userId: string }) {
  const presence = usePresence(userId);
  if (!presence) return null;
  return (
    <p className="flex items-center gap-1.5 text-note text-muted">
      <PresenceDot presence={presence} />
      {PRESENCE_NAMES[presence]}
    </p>
  );
}

function LocalTime({ timeZone }: { timeZone: string }) {
  useTicking(10_000, () => Math.floor(Date.now() / 60_000));
  const time = localTime(timeZone);
  if (!time) return null;
  return (
    <p className="flex items-center gap-2 text-sm text-muted">
      <Clock aria-hidden className="size-4 shrink-0" />
      <span>
        <span className="text-ink">{time.clock}</span> local time
        {time.difference && ` · ${time.difference}`}
      </span>
    </p>
  );
}

function Actions({ userId, isMe, onDone }: Omit<CardProps, 'known'> & { isMe: boolean }) {
  const { openStatus } = useShellActions();
  const openDirect = useOpenDirect();
  return (
    <div className="flex flex-wrap gap-2">
      {!isMe && (
        <Button
          size="small"
          icon={MessageCircle}
          onClick={() => {
            onDone();
            openDirect([userId]).catch(toastError);
          }}
        >
          Message
        </Button>
      )}
      <LinkButton
        size="small"
        icon={ListChecks}
        to="/tasks"
        search={isMe ? {} : { assignee: userId }}
        onClick={onDone}
      >
        Tasks
      </LinkButton>
      {isMe && (
        <>
          <Button
            size="small"
            icon={Smile}
            onClick={() => {
              onDone();
              openStatus();
            }}
          >
            Set a status
          </Button>
          <LinkButton size="small" icon={UserRound} to="/settings/profile" onClick={onDone}>
            Edit profile
          </LinkButton>
        </>
      )}
    </div>
  );
}
