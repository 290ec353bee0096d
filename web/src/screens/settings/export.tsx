import { Download } from 'lucide-react';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { Card, PageHeader, RoleNote } from '../../ui/pages/page.tsx';
import { useDownload } from '../../ui/controls/use-download.ts';

export function ExportSettings() {
  const { client, org } = useWorkspace();
  const isOwner = org.role === 'OWNER';
  const download = useDownload(`${org.name}.tar.gz`, () => client.org.export(org.id));
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Export">Take everything in {org.name} with you.</PageHeader>
      <Card
        title="Export the organisation"
        description="One archive (.tar.gz) with a JSON Lines file for each kind of record: projects, sessions, messages, shared memories, members, the audit log and more. Secrets and people’s private memories are not in it."
      >
        {!isOwner && <RoleNote>Only owners can export the organisation.</RoleNote>}
        {download.error && <ErrorNote error={download.error} />}
        <div>
          <Button
            disabled={!isOwner}
            isBusy={download.isPending}
            onClick={() => download.mutate()}
            icon={Download}
          >
            Download export
          </Button>
        </div>
      </Card>
    </div>
  );
}
