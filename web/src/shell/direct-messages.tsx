import type { Session } from '@atrium/sdk';
import { useParams } from '@tanstack/react-router';
import { SquarePen } from 'lucide-react';
import { useDraftedSessions } from '../data/device/drafts.ts';
import { DIRECT_SLUG, othersIn, useDirectSessions, useSessionName } from '../data/direct.ts';
import { usePeople } from '../data/queries.ts';
import { useWorkspace } from '../data/workspace.tsx';
import { WithPresence } from '../shared/person/presence-dot.tsx';
import { useShellActions } from '../shared/shell-actions.ts';
import { Avatar } from '../ui/marks/avatar.tsx';
import { SectionHead } from './section-head.tsx';
import { SessionLink } from './session-link.tsx';

const SHOWN = 8;

/** Whom the person talks to outside projects. Nobody sees a conversation that somebody else opened and left empty. */
export function DirectMessages() {
  const { openNewDirect } = useShellActions();
  const { profile } = useWorkspace();
  const { sessionId } = useParams({ strict: false });
  const drafted = useDraftedSessions();
  const sessions = useDirectSessions();
  const shown = sessions
    ?.filter(
      ({ id, lastMessageAt, createdById }) =>
        lastMessageAt !== null || createdById === profile.userId || id === sessionId,
    )
    .filter(
      ({ id, unreadCount }, at) =>
        at < SHOWN || unreadCount > 0 || id === sessionId || drafted.has(id),
    );
  return (
    <section aria-label="Direct messages" className="flex flex-col gap-1">
      <SectionHead
        title="Direct messages"
        label="New direct message"
        icon={SquarePen}
        onClick={() => openNewDirect()}
      />
      {shown && shown.length > 0 && (
        <ul className="flex flex-col">
          {shown.map((session) => (
            <Conversation
              key={session.id}
              session={session}
              hasDraft={drafted.has(session.id) && session.id !== sessionId}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function Conversation({ session, hasDraft }: { session: Session; hasDraft: boolean }) {
  const name = useSessionName()(session);
  const face = <Face session={session} />;
  return <SessionLink slug={DIRECT_SLUG} {...{ session, name, hasDraft, face }} />;
}

/** The other person, or how many others there are. */
function Face({ session }: { session: Session }) {
  const { profile } = useWorkspace();
  const person = usePeople();
  const [other = '', ...more] = othersIn(session, profile.userId);
  if (more.length > 0) {
    return (
      <span
        aria-hidden
        className="inline-flex size-6 shrink-0 items-center justify-center rounded-full bg-hover text-[11px] font-semibold text-muted"
      >
        {more.length + 1}
      </span>
    );
  }
  const { name, photo } = person(other);
  return (
    <WithPresence userId={other}>
      <Avatar {...{ name, photo }} seed={other} size="small" />
    </WithPresence>
  );
}
