import { usePeople } from '../../../data/queries.ts';
import { Avatar } from '../../../ui/marks/avatar.tsx';
import { useSession } from '../session-context.ts';

const SHOWN = 3;

/** The first participants, as a button that opens the whole list. */
export function Participants({ onOpen }: { onOpen: () => void }) {
  const person = usePeople();
  const ids = useSession().session.participantUserIds;
  if (ids.length === 0) return null;
  const label = ids.length === 1 ? '1 participant' : `${ids.length} participants`;
  return (
    <button
      type="button"
      aria-label={label}
      data-tooltip={label}
      className="hidden min-h-8 items-center rounded-md px-1 hover:bg-hover sm:inline-flex"
      onClick={onOpen}
    >
      <span className="flex -space-x-1.5">
        {ids.slice(0, SHOWN).map((id) => (
          <span key={id} className="rounded-full ring-2 ring-surface">
            <Avatar name={person(id).name} seed={id} photo={person(id).photo} size="small" />
          </span>
        ))}
      </span>
      {ids.length > SHOWN && (
        <span className="pl-1.5 text-note text-muted">+{ids.length - SHOWN}</span>
      )}
    </button>
  );
}
