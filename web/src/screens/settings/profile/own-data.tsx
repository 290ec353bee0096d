import { Download } from 'lucide-react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Card } from '../../../ui/page.tsx';
import { useDownload } from '../../../ui/use-download.ts';

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
        <Button isBusy={download.isPending} onClick={() => download.mutate()}>
          <Download aria-hidden className="size-4" />
          Download my data
        </Button>
      </div>
    </Card>
  );
}
