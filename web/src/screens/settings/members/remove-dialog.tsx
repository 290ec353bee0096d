import type { Member } from '@atrium/sdk';
import { keys } from '../../../data/query-keys.ts';
import { useChange } from '../../../data/use-change.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { ConfirmDialog } from '../../../ui/layers/dialog.tsx';
import { toast } from '../../../ui/layers/toast.tsx';

/** Confirms that someone leaves the org or is removed from it. */
export function RemoveDialog({
  member,
  onClose,
}: {
  member: Pick<Member, 'userId' | 'name'>;
  onClose: () => void;
}) {
  const { profile, org } = useWorkspace();
  const isSelf = member.userId === profile.userId;
  const remove = useChange({
    send: ({ client }) => client.org.removeMember(org.id, member.userId),
    refetch: keys.members,
    onDone() {
      // Reloads, so that nothing of the org is left in this page.
      if (isSelf) location.assign('/');
      else toast(`${member.name} removed`);
    },
  });
  const whose = isSelf ? 'Your' : 'Their';
  return (
    <ConfirmDialog
      title={isSelf ? `Leave ${org.name}?` : `Remove ${member.name} from ${org.name}?`}
      description={
        <div className="flex flex-col gap-2">
          <p>What happens:</p>
          <ul className="flex list-disc flex-col gap-1 pl-5">
            <li>{isSelf ? 'You lose' : 'They lose'} access immediately, on every device.</li>
            <li>{whose} API keys here are revoked. Organisation keys (v1) keep working.</li>
            <li>
              {whose} private memories are hidden, and erased after 30 days unless{' '}
              {isSelf ? 'you come' : 'they come'} back.
            </li>
            <li>Messages and shared memories stay.</li>
          </ul>
          <p>{isSelf ? 'You need a new invitation to come back.' : 'You can invite them again.'}</p>
        </div>
      }
      action={isSelf ? 'Leave organisation' : 'Remove member'}
      onConfirm={() => remove.mutateAsync()}
      onClose={onClose}
    />
  );
}
