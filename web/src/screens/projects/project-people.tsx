import type { Project, ProjectMember } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../data/query-keys.ts';
import { useMembers, usePeople, useProjectMembers } from '../../data/queries.ts';
import { useChange } from '../../data/use-change.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Avatar } from '../../ui/marks/avatar.tsx';
import { Badge } from '../../ui/marks/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';
import { FieldForm } from '../../ui/forms/form.tsx';
import { Loading } from '../../ui/states/loading.tsx';
import { Card, RoleNote } from '../../ui/pages/page.tsx';
import { toast } from '../../ui/layers/toast.tsx';
import { useManages } from '../../data/manages.ts';
import { PersonButton } from '../../shared/person/person-button.tsx';
import { WithPresence } from '../../shared/person/presence-dot.tsx';
import { StatusMark } from '../../shared/person/status-mark.tsx';

/** Who has access to the project and why, with adding and removing if access is by person. */
export function ProjectPeople({ project }: { project: Project }) {
  const { org } = useWorkspace();
  const isManager = useManages(project);
  const members = useProjectMembers(project.id);
  const isOpen = project.access === 'ORG';
  return (
    <Card
      title="People"
      description={
        <span className="wrap-anywhere">
          {isOpen
            ? `Everyone in ${org.name} has access to this project.`
            : 'Its creator, the organisation’s owners and admins, and the people added here have access.'}
        </span>
      }
    >
      <Loading of={members} rows={2} label="Loading people…" />
      {!isOpen && members.data && isManager && (
        <AddPerson project={project} members={members.data} />
      )}
      {!isOpen && !isManager && (
        <RoleNote>Only the project’s creator, an owner or an admin can add people.</RoleNote>
      )}
      {members.data && <People project={project} members={members.data} />}
    </Card>
  );
}

interface PeopleProps {
  project: Project;
  members: ProjectMember[];
}

const FEW = 12;

function People({ project, members }: PeopleProps) {
  const { profile } = useWorkspace();
  const isManager = useManages(project);
  const person = usePeople();
  const [removing, setRemoving] = useState<ProjectMember>();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? members : members.slice(0, FEW);
  return (
    <>
      <ul className="flex flex-col divide-y divide-line">
        {shown.map((member) => {
          const { userId, name, email, addedAt } = member;
          const isMe = userId === profile.userId;
          const mayRemove = project.access === 'MEMBERS' && addedAt !== null && (isManager || isMe);
          return (
            <li key={userId} className="flex flex-wrap items-center gap-3 py-2">
              <WithPresence userId={userId}>
                <Avatar name={name} seed={userId} photo={person(userId).photo} />
              </WithPresence>
              <div className="flex min-w-0 flex-1 basis-40 flex-col leading-tight">
                <span className="flex min-w-0 items-center gap-1.5 text-sm font-medium" dir="auto">
                  <PersonButton userId={userId} className="min-h-[24px] truncate hover:underline">
                    {name}
                  </PersonButton>
                  <StatusMark status={person(userId).status} />
                  {isMe && <span className="font-normal text-muted"> (you)</span>}
                </span>
                <span className="truncate text-note text-muted">{email}</span>
              </div>
              <Badge>{explainBelonging(project, member)}</Badge>
              {mayRemove && (
                <Button
                  size="small"
                  aria-label={isMe ? 'Leave this project' : `Remove ${name}`}
                  onClick={() => setRemoving(member)}
                >
                  {isMe ? 'Leave' : 'Remove'}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {members.length > shown.length && (
        <Button size="small" className="self-start" onClick={() => setWhole(true)}>
          Show all {members.length}
        </Button>
      )}
      {removing && (
        <RemovePerson project={project} member={removing} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
}

function explainBelonging(project: Project, { userId, role, addedAt }: ProjectMember): string {
  if (userId === project.createdById) return 'Creator';
  if (role === 'OWNER') return 'Organisation owner';
  if (role === 'ADMIN') return 'Organisation admin';
  return project.access === 'ORG' || addedAt === null ? 'Organisation member' : 'Added';
}

function AddPerson({ project, members }: PeopleProps) {
  const { data: everyone } = useMembers();
  const [userId, setUserId] = useState('');
  const inside = new Set(members.map((member) => member.userId));
  const outside = everyone?.filter((person) => !inside.has(person.userId));
  const add = useChange({
    send: ({ client }) => client.projects.addMember(project.id, userId),
    refetch: (orgId) => keys.projectMembers(orgId, project.id),
    onDone: ({ name }) => {
      setUserId('');
      toast(`${name} added to the project`);
    },
  });
  if (outside?.length === 0) {
    return <p className="text-sm text-muted">Everyone in the organisation already has access.</p>;
  }
  return (
    <FieldForm
      action="Add member"
      saving={add}
      isDisabled={userId === ''}
      onSubmit={() => add.mutate()}
    >
      <SelectField
        label="Add a member"
        fieldClassName="min-w-0 flex-1 basis-56"
        value={userId}
        onChange={setUserId}
        empty="Choose a person"
        options={
          outside?.map(({ userId: id, name, email, photo }) => ({
            value: id,
            name,
            about: email,
            icon: <Avatar name={name} seed={id} photo={photo} size="tiny" />,
          })) ?? []
        }
      />
    </FieldForm>
  );
}

interface RemovePersonProps {
  project: Project;
  member: ProjectMember;
  onClose: () => void;
}

function RemovePerson({ project, member, onClose }: RemovePersonProps) {
  const { client, org, profile } = useWorkspace();
  const queryClient = useQueryClient();
  const isMe = member.userId === profile.userId;
  return (
    <ConfirmDialog
      title={isMe ? `Leave ${project.name}?` : `Remove ${member.name}?`}
      description={
        isMe
          ? 'You won’t see its sessions and memory until someone adds you again.'
          : 'They will no longer see its sessions and memory. What they wrote stays. You can add them again.'
      }
      action={isMe ? 'Leave project' : 'Remove member'}
      onClose={onClose}
      onConfirm={async () => {
        await client.projects.removeMember(project.id, member.userId);
        await queryClient.invalidateQueries({ queryKey: keys.projectMembers(org.id, project.id) });
        await queryClient.invalidateQueries({ queryKey: keys.projects(org.id) });
      }}
    />
  );
}
