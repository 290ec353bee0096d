import { Download } from 'lucide-react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { useDownload } from '../../../ui/controls/use-download.ts';

export function OwnData() {
  const { client, org } = useWorkspace();
  const download = useDownload('my-data.tar.gz', () => client.identity.export());
  return (
    <Card
      title="Your data"
      description={`What you wrote and own in ${org.name}, with your private memories, as one archive (.tar.gz) of JSON Lines.`}
    >
      {download.error && <ErrorNote error={download.error} />}
      <div>
        <Button isBusy={download.isPending} onClick={() => download.mutate()} icon={Download}>
          Download my data
        </Button>
      </div>
    </Card>
  );
}
