import { useWorkspace } from '../../data/workspace.tsx';
import { PageHeader, RoleNote } from '../../ui/page.tsx';
import { Invitations } from './members/invitations.tsx';
import { MemberList } from './members/member-list.tsx';

export function MemberSettings() {
  const { org, isAdmin } = useWorkspace();
  return (
    <>
      <PageHeader title="Members">Who is in {org.name}, and what each of them may do.</PageHeader>
      {!isAdmin && (
        <RoleNote>
          You are a MEMBER here. Inviting people, changing roles and removing members is for OWNERs
          and ADMINs; ask one of them.
        </RoleNote>
      )}
      <MemberList />
      {isAdmin && <Invitations />}
    </>
  );
}
