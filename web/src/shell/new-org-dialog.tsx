import { useWorkspace } from '../data/workspace.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/layers/dialog.tsx';
import { CreateOrgForm } from '../screens/sign-in/create-org.tsx';
import { useEnterOrg } from '../screens/sign-in/enter-org.ts';
import { useSwitchOrg } from './org-switcher.tsx';

export function NewOrgDialog({ onClose }: { onClose: () => void }) {
  const { org } = useWorkspace();
  const enterOrg = useEnterOrg();
  const switchOrg = useSwitchOrg();
  return (
    <Dialog
      title="Create organisation"
      description={`It gets its own projects, memory, members, keys and credits, separate from ${org.name}. You become its owner.`}
      onClose={onClose}
    >
      <CreateOrgForm
        onCreated={async (orgId) => {
          await enterOrg(orgId);
          onClose();
          switchOrg(orgId);
        }}
      >
        <Button onClick={onClose}>Cancel</Button>
      </CreateOrgForm>
    </Dialog>
  );
}
