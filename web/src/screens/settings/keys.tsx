import { useWorkspace } from '../../data/workspace.tsx';
import { PageHeader, RoleNote, Card } from '../../ui/pages/page.tsx';
import { KeySection } from './keys/key-section.tsx';

export function KeySettings() {
  const { org, isAdmin } = useWorkspace();
  return (
    <>
      <PageHeader title="API keys">
        Programs use a key instead of signing in. Keep keys secret: anyone who has one can act with
        its permissions.
      </PageHeader>
      <KeySection family="v2" />
      {isAdmin ? (
        <KeySection family="v1" />
      ) : (
        <Card title="Organisation keys (v1 Memory API)">
          <RoleNote>
            These keys belong to {org.name} rather than a person, so only owners and admins can see
            and create them. Ask one of them if a program needs one.
          </RoleNote>
        </Card>
      )}
    </>
  );
}
