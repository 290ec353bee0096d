import type { Session } from '@atrium/sdk';
import { useState } from 'react';
import { usePeople } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { toast } from '../../../ui/toast.tsx';
import { ParticipantsField } from '../../projects/participants-field.tsx';
import { useProjectMembers } from '../../projects/project-members.ts';
import { useUpdateSession } from '../queries.ts';

interface ParticipantsDialogProps {
  slug: string;
  session: Session;
  canWrite: boolean;
  onClose: () => void;
}

/** Shows who takes part, and changes it unless the session is archived. */
export function ParticipantsDialog({ slug, session, canWrite, onClose }: ParticipantsDialogProps) {
  const isPrivate = session.access === 'PARTICIPANTS';
  return (
    <Dialog
      title="Participants"
      description={
        isPrivate
          ? 'This session is private. Only its participants can find, read and write in it.'
          : 'Everyone in the project can read and write here, whether they’re a participant or not.'
      }
      onClose={onClose}
    >
      {canWrite ? (
        <ParticipantsForm slug={slug} session={session} onClose={onClose} />
      ) : (
        <ParticipantList ids={session.participantUserIds} />
      )}
    </Dialog>
  );
}

function ParticipantsForm({ slug, session, onClose }: Omit<ParticipantsDialogProps, 'canWrite'>) {
  const { profile } = useWorkspace();
  const { data: members } = useProjectMembers(session.projectId);
  const [chosen, setChosen] = useState(session.participantUserIds);
  const update = useUpdateSession(slug, session);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        // Someone who has left the project meanwhile can’t stay.
        const participantUserIds = chosen.filter((id) =>
          members?.some(({ userId }) => userId === id),
        );
        const onSuccess = () => {
          toast('Participants updated');
          onClose();
        };
        update.mutate({ participantUserIds }, { onSuccess });
      }}
    >
      <ParticipantsField
        projectId={session.projectId}
        hint={
          chosen.includes(profile.userId) ? 'You, and the people you choose.' : 'Choose people.'
        }
        value={chosen}
        onChange={setChosen}
      />
      {update.error && <ErrorNote error={update.error} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={update.isPending} disabled={!members}>
          Save participants
        </Button>
      </DialogActions>
    </form>
  );
}

function ParticipantList({ ids }: { ids: readonly string[] }) {
  const { profile } = useWorkspace();
  const person = usePeople();
  return (
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
  );
}
