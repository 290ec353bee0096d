import { useWorkspace } from '../../data/workspace.tsx';
import { PageHeader, RoleNote } from '../../ui/pages/page.tsx';
import { Invitations } from './members/invitations.tsx';
import { MemberList } from './members/member-list.tsx';

export function MemberSettings() {
  const { org, isAdmin } = useWorkspace();
  return (
    <>
      <PageHeader title="Members">Who is in {org.name}, and what each of them can do.</PageHeader>
      {!isAdmin && (
        <RoleNote>
          Only owners and admins can invite people, change roles and remove members.
        </RoleNote>
      )}
      <MemberList />
      {isAdmin && <Invitations />}
    </>
  );
}
