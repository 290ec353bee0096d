import type { Member } from '@atrium/sdk';
import { useId, useState } from 'react';
import type { Role } from '../../../data/web-api.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Avatar } from '../../../ui/marks/avatar.tsx';
import { Badge } from '../../../ui/marks/badge.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../../ui/layers/dialog.tsx';
import { Picker } from '../../../ui/pickers/picker.tsx';
import { Day } from '../../../ui/marks/time.tsx';
import { toast, toastError } from '../../../ui/layers/toast.tsx';
import { useChangeRole } from './use-change-role.ts';
import { PersonButton } from '../../../shared/person/person-button.tsx';
import { WithPresence } from '../../../shared/person/presence-dot.tsx';
import { StatusMark } from '../../../shared/person/status-mark.tsx';
import { ROLE_NAMES } from '../../../shared/roles.ts';
import type { MemberRights } from './rights.ts';

interface MemberRowProps {
  member: Member;
  isSelf: boolean;
  rights: MemberRights;
  onRemove: () => void;
}

export function MemberRow({ member, isSelf, rights, onRemove }: MemberRowProps) {
  const { org } = useWorkspace();
  const id = useId();
  const { userId, name, email, joinedAt } = member;
  const { roles, mayRemove, why } = rights;
  return (
    <li className="flex flex-col gap-3 py-3 first:pt-0 last:pb-0 sm:flex-row sm:items-center">
      <div className="flex min-w-0 flex-1 items-center gap-3">
        <WithPresence userId={userId}>
          <Avatar name={name} seed={userId} photo={member.photo} />
        </WithPresence>
        <div className="min-w-0">
          <p className="flex min-w-0 flex-wrap items-center gap-x-2">
            <PersonButton
              userId={userId}
              className="min-h-[24px] min-w-0 font-medium hover:underline"
            >
              <bdi className="wrap-anywhere">{name}</bdi>
            </PersonButton>
            <StatusMark status={member.status} />
            {isSelf && <Badge tone="accent">You</Badge>}
          </p>
          <p className="text-note text-muted wrap-anywhere">
            {member.title && <bdi>{member.title} · </bdi>}
            {email} · joined <Day at={joinedAt} />
          </p>
          {why && (
            <p id={id} className="text-note text-muted">
              {why}
            </p>
          )}
        </div>
      </div>
      <div className="flex shrink-0 items-center gap-2 ps-11 sm:ps-0">
        {org.role === 'MEMBER' ? (
          <Badge>{ROLE_NAMES[member.role]}</Badge>
        ) : (
          <RoleSelect
            member={member}
            isSelf={isSelf}
            roles={roles}
            reasonId={why ? id : undefined}
          />
        )}
        {(org.role !== 'MEMBER' || isSelf) && (
          <Button
            size="small"
            disabled={!mayRemove}
            aria-describedby={mayRemove ? undefined : id}
            aria-label={isSelf ? 'Leave this organisation' : `Remove ${name}`}
            onClick={onRemove}
          >
            {isSelf ? 'Leave' : 'Remove'}
          </Button>
        )}
      </div>
    </li>
  );
}

interface RoleSelectProps {
  member: Member;
  isSelf: boolean;
  roles: Role[];
  reasonId: string | undefined;
}

const ROLES: Role[] = ['OWNER', 'ADMIN', 'MEMBER'];

function RoleSelect({ member, isSelf, roles, reasonId }: RoleSelectProps) {
  const id = useId();
  const [asked, setAsked] = useState<Role>();
  const { mutateAsync } = useChangeRole();
  const change = async (role: Role) => {
    await mutateAsync({ userId: member.userId, role });
    toast(`${isSelf ? 'Your' : `${member.name}’s`} role is now ${ROLE_NAMES[role]}`);
  };

  function choose(role: Role) {
    // Ask first about what the person can't undo on their own.
    if (role === 'OWNER' || isSelf) setAsked(role);
    else change(role).catch(toastError);
  }

  return (
    <>
      <div className="w-32">
        <Picker
          label={`Role of ${member.name}`}
          look="field"
          className="min-h-8! px-2! text-note"
          align="end"
          control={{ id, 'aria-describedby': reasonId, 'aria-invalid': undefined }}
          value={member.role}
          disabled={roles.length === 0}
          onChange={choose}
          options={ROLES.map((role) => {
            const isBarred = !roles.includes(role) && role !== member.role;
            return {
              value: role,
              name: ROLE_NAMES[role],
              isDisabled: isBarred,
              about: isBarred ? 'Only an owner can grant it' : undefined,
            };
          })}
        />
      </div>
      {asked && (
        <ConfirmDialog
          title={
            isSelf
              ? `Change your own role to ${ROLE_NAMES[asked]}?`
              : `Make ${member.name} an owner?`
          }
          description={
            isSelf
              ? 'You lose your current permissions immediately, and only someone else can give them back.'
              : 'An owner can do everything here, including choosing the plan and changing or removing other owners, such as you.'
          }
          look={isSelf ? 'danger' : 'primary'}
          action={isSelf ? 'Change my role' : 'Make owner'}
          onConfirm={() => change(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
