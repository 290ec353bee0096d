import type { Member } from '@atrium/sdk';
import { useId, useState } from 'react';
import type { Role } from '../../../data/web-api.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Avatar } from '../../../ui/marks/avatar.tsx';
import { Badge } from '../../../ui/marks/badge.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../../ui/layers/dialog.tsx';
import { CONTROL } from '../../../ui/forms/field.tsx';
import { Day } from '../../../ui/marks/time.tsx';
import { toast, toastError } from '../../../ui/layers/toast.tsx';
import { useChangeRole } from './mutations.ts';
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
  const why = [...new Set([rights.whyNoRoles, rights.whyNoRemoval])].filter(Boolean).join(' ');
  return (
    <li className="flex flex-col gap-3 py-3 first:pt-0 last:pb-0 sm:flex-row sm:items-center">
      <div className="flex min-w-0 flex-1 items-center gap-3">
        <Avatar name={name} seed={userId} />
        <div className="min-w-0">
          <p className="flex min-w-0 flex-wrap items-center gap-x-2">
            <bdi className="min-w-0 font-medium wrap-anywhere">{name}</bdi>
            {isSelf && <Badge tone="accent">You</Badge>}
          </p>
          <p className="text-note text-muted wrap-anywhere">
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
            roles={rights.roles}
            reasonId={why ? id : undefined}
          />
        )}
        {(org.role !== 'MEMBER' || isSelf) && (
          <Button
            size="small"
            disabled={!rights.mayRemove}
            aria-describedby={rights.mayRemove ? undefined : id}
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
        <select
          aria-label={`Role of ${member.name}`}
          aria-describedby={reasonId}
          className={`${CONTROL} min-h-8 text-note`}
          value={member.role}
          disabled={roles.length === 0}
          onChange={({ target }) => choose(target.value as Role)}
        >
          {ROLES.map((role) => {
            const isBarred = !roles.includes(role) && role !== member.role;
            return (
              <option key={role} value={role} disabled={isBarred}>
                {isBarred && roles.length > 0
                  ? `${ROLE_NAMES[role]} (only an owner can grant it)`
                  : ROLE_NAMES[role]}
              </option>
            );
          })}
        </select>
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
