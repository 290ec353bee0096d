import type { Session } from '@atrium/sdk';
import { useState } from 'react';
import { usePeople } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Avatar } from '../../../ui/avatar.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

const SHOWN = 3;

/** Who takes part. It says that this is information and restricts nobody. */
export function Participants({ session }: { session: Session }) {
  const [isOpen, setOpen] = useState(false);
  const person = usePeople();
  const ids = session.participantUserIds;
  if (ids.length === 0) return null;
  const label = ids.length === 1 ? '1 participant' : `${ids.length} participants`;
  return (
    <>
      <button
        type="button"
        aria-label={label}
        data-tooltip={label}
        className="hidden min-h-8 items-center rounded-md px-1 hover:bg-hover sm:inline-flex"
        onClick={() => setOpen(true)}
      >
        <span className="flex -space-x-1.5">
          {ids.slice(0, SHOWN).map((id) => (
            <span key={id} className="rounded-full ring-2 ring-surface">
              <Avatar name={person(id).name} seed={id} size="small" />
            </span>
          ))}
        </span>
        {ids.length > SHOWN && (
          <span className="pl-1.5 text-note text-muted">+{ids.length - SHOWN}</span>
        )}
      </button>
      {isOpen && <ParticipantsDialog ids={ids} onClose={() => setOpen(false)} />}
    </>
  );
}

function ParticipantsDialog({ ids, onClose }: { ids: string[]; onClose: () => void }) {
  const { profile } = useWorkspace();
  const person = usePeople();
  return (
    <Dialog
      title="Participants"
      description="Everyone in the project can read and write here, whether they’re a participant or not."
      onClose={onClose}
    >
      <ul className="flex flex-col gap-2">
        {ids.map((id) => (
          <li key={id} className="flex min-w-0 items-center gap-2 text-sm">
            <Avatar name={person(id).name} seed={id} size="small" />
            <span dir="auto" className="min-w-0 wrap-anywhere">
              {person(id).name}
              {id === profile.userId && ' (you)'}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
