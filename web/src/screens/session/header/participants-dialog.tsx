import type { Session } from '@atrium/sdk';
import { useState } from 'react';
import { usePeople, useProjectMembers } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Avatar } from '../../../ui/marks/avatar.tsx';
import { Dialog } from '../../../ui/layers/dialog.tsx';
import { FormDialog } from '../../../ui/forms/form.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { ParticipantsField } from '../../projects/participants-field.tsx';
import { useUpdateSession } from '../queries.ts';

interface ParticipantsDialogProps {
  slug: string;
  session: Session;
  canWrite: boolean;
  onClose: () => void;
}

/** Shows who takes part, and changes it unless the session is archived. */
export function ParticipantsDialog({ slug, session, canWrite, onClose }: ParticipantsDialogProps) {
  const about = {
    title: 'Participants',
    description:
      session.access === 'PARTICIPANTS'
        ? 'This session is private. Only its participants can find, read and write in it.'
        : 'Everyone in the project can read and write here, whether they’re a participant or not.',
    onClose,
  };
  if (canWrite) return <ParticipantsForm {...{ slug, session, about }} />;
  return (
    <Dialog {...about}>
      <ParticipantList ids={session.participantUserIds} />
    </Dialog>
  );
}

interface ParticipantsFormProps extends Pick<ParticipantsDialogProps, 'slug' | 'session'> {
  about: { title: string; description: string; onClose: () => void };
}

function ParticipantsForm({ slug, session, about }: ParticipantsFormProps) {
  const { profile } = useWorkspace();
  const { data: members } = useProjectMembers(session.projectId);
  const [chosen, setChosen] = useState(session.participantUserIds);
  const update = useUpdateSession(slug, session);
  function submit() {
    // Someone who has left the project meanwhile can’t stay.
    const participantUserIds = chosen.filter((id) => members?.some(({ userId }) => userId === id));
    const onSuccess = () => {
      toast('Participants updated');
      about.onClose();
    };
    update.mutate({ participantUserIds }, { onSuccess });
  }
  return (
    <FormDialog
      {...about}
      action="Save participants"
      saving={update}
      isDisabled={!members}
      onSubmit={submit}
    >
      <ParticipantsField
        projectId={session.projectId}
        hint={
          chosen.includes(profile.userId) ? 'You, and the people you choose.' : 'Choose people.'
        }
        value={chosen}
        onChange={setChosen}
      />
    </FormDialog>
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
