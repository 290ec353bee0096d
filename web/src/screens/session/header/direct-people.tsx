import type { Session } from '@atrium/sdk';
import { othersIn } from '../../../data/direct.ts';
import { usePeople } from '../../../data/queries.ts';
import { usePresence } from '../../../data/presence.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { PRESENCE_NAMES, PresenceDot } from '../../../shared/person/presence-dot.tsx';

const LINE = 'flex min-h-6 min-w-0 items-center gap-1.5 truncate text-note text-muted';

/** In place of a project: who it is, as far as others can see. */
export function DirectPeople({ session }: { session: Session }) {
  const { profile } = useWorkspace();
  const [other = '', ...more] = othersIn(session, profile.userId);
  if (more.length > 0) return <p className={LINE}>Direct message, {more.length + 2} people</p>;
  return <OnePerson userId={other} />;
}

function OnePerson({ userId }: { userId: string }) {
  const person = usePeople()(userId);
  const presence = usePresence(userId);
  return (
    <p className={LINE}>
      {presence && (
        <>
          <PresenceDot presence={presence} />
          {PRESENCE_NAMES[presence]}
          <span aria-hidden>·</span>
        </>
      )}
      <bdi className="truncate">
        {person.role ? (person.title ?? 'Direct message') : 'No longer in this organisation'}
      </bdi>
    </p>
  );
}
