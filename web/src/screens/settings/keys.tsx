import { useWorkspace } from '../../data/workspace.tsx';
import { PageHeader, RoleNote, Card } from '../../ui/page.tsx';
import { KeySection } from './keys/key-section.tsx';

export function KeySettings() {
  const { org, isAdmin } = useWorkspace();
  return (
    <>
      <PageHeader title="API keys">
        Programs use a key instead of signing in. Keep keys secret: whoever has one acts with its
        rights.
      </PageHeader>
      <KeySection family="v2" />
      {isAdmin ? (
        <KeySection family="v1" />
      ) : (
        <Card title="Organisation keys (v1 Memory API)">
          <RoleNote>
            These keys stand for {org.name} and not for a person, so only OWNERs and ADMINs see and
            make them. You are a MEMBER here; ask one of them if a program needs such a key.
          </RoleNote>
        </Card>
      )}
    </>
  );
}
