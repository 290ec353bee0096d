import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useMembers } from '../data/queries.ts';
import { useOpenDirect } from '../data/use-open-direct.ts';
import { PeopleField } from '../screens/projects/participants-field.tsx';
import { FormDialog } from '../ui/forms/form.tsx';

/** Besides the person. */
const MOST_OTHERS = 8;

interface NewDirectDialogProps {
  /** Those who are chosen already. */
  userIds: readonly string[];
  onClose: () => void;
}

export function NewDirectDialog({ userIds, onClose }: NewDirectDialogProps) {
  const { data: members } = useMembers();
  const [chosen, setChosen] = useState([...userIds]);
  const openDirect = useOpenDirect();
  const opening = useMutation({ mutationFn: () => openDirect(chosen), onSuccess: onClose });
  return (
    <FormDialog
      title="New direct message"
      description="Only the people you choose can read it. With other people, it’s another conversation."
      action="Open conversation"
      saving={opening}
      isDisabled={chosen.length === 0 || chosen.length > MOST_OTHERS}
      onSubmit={() => opening.mutate()}
      onClose={onClose}
    >
      <PeopleField
        legend="To"
        hint={
          chosen.length > MOST_OTHERS
            ? `Choose at most ${MOST_OTHERS} people. For more, start a session in a project.`
            : `One person, or up to ${MOST_OTHERS}.`
        }
        empty="No one else is in this organisation yet. Invite people in the settings."
        members={members}
        value={chosen}
        onChange={setChosen}
      />
    </FormDialog>
  );
}
