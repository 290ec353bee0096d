import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { isDirect, othersIn } from '../../../data/direct.ts';
import { usePeople, useProjectMembers } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { WithPresence } from '../../../shared/person/presence-dot.tsx';
import { StatusMark } from '../../../shared/person/status-mark.tsx';
import { useShellActions } from '../../../shared/shell-actions.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Avatar } from '../../../ui/marks/avatar.tsx';
import { Dialog, type DialogProps } from '../../../ui/layers/dialog.tsx';
import { FormDialog } from '../../../ui/forms/form.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { ParticipantsField } from '../../projects/participants-field.tsx';
import { useUpdateSession } from '../queries.ts';
import { useSession } from '../session-context.ts';

/** Shows who takes part, and changes it unless the session is archived. */
export function ParticipantsDialog({ onClose }: { onClose: () => void }) {
  const { session, canWrite } = useSession();
  if (isDirect(session)) return <DirectPeopleDialog onClose={onClose} />;
  const about = {
    title: 'Participants',
    description:
      session.access === 'PARTICIPANTS'
        ? 'This session is private. Only its participants can find, read and write in it.'
        : 'Participants follow this session. Everyone else in the project can read and write here too.',
    onClose,
  };
  if (canWrite) return <ParticipantsForm {...about} />;
  return (
    <Dialog {...about}>
      <ParticipantList ids={session.participantUserIds} />
    </Dialog>
  );
}

/** Nobody joins or leaves a direct conversation. With more people, it is another one. */
function DirectPeopleDialog({ onClose }: { onClose: () => void }) {
  const { session } = useSession();
  const { profile } = useWorkspace();
  const { openNewDirect } = useShellActions();
  return (
    <Dialog
      title="People"
      description="Only they can find, read and write in this conversation."
      onClose={onClose}
    >
      <ParticipantList ids={session.participantUserIds} />
      <div>
        <Button
          icon={UserPlus}
          onClick={() => {
            onClose();
            openNewDirect(othersIn(session, profile.userId));
          }}
        >
          Start one with more people
        </Button>
      </div>
    </Dialog>
  );
}

function ParticipantsForm(about: Omit<DialogProps, 'children'>) {
  const { session } = useSession();
  const { profile } = useWorkspace();
  const { data: members } = useProjectMembers(session.projectId);
  const [chosen, setChosen] = useState(session.participantUserIds);
  const update = useUpdateSession();
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
          <WithPresence userId={id}>
            <Avatar name={person(id).name} seed={id} photo={person(id).photo} size="small" />
          </WithPresence>
          <span dir="auto" className="min-w-0 wrap-anywhere">
            {person(id).name}
            {id === profile.userId && ' (you)'}
          </span>
          <StatusMark status={person(id).status} />
        </li>
      ))}
    </ul>
  );
}
