import type { ChannelConnection } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pencil, PlugZap, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../../ui/layers/dialog.tsx';
import { Badge } from '../../../ui/marks/badge.tsx';
import { Ago } from '../../../ui/marks/time.tsx';
import { Fact, Facts, LastError } from '../../../ui/pages/facts.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { PROVIDER_NAMES } from '../../../shared/channel-names.ts';
import { MODES, statusInWords } from './connection-words.ts';
import { EditConnectionDialog } from './edit-dialog.tsx';
import { EventsSetup } from './guides.tsx';
import { TestResult } from './test-result.tsx';

interface ConnectionCardProps {
  connection: ChannelConnection;
  onDeleted: () => void;
}

export function ConnectionCard({ connection, onDeleted }: ConnectionCardProps) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const close = () => setOpen(undefined);
  const refetchList = () =>
    queryClient.invalidateQueries({ queryKey: keys.chatConnections(org.id) });
  const testing = useMutation({
    mutationFn: () => client.channels.testConnection(connection.id),
    onSettled: refetchList,
  });
  const provider = PROVIDER_NAMES[connection.provider];
  return (
    <Card
      title={connection.displayName}
      description={
        <span className="wrap-anywhere">
          {provider}, <bdi>{connection.workspaceName}</bdi>, as @{connection.botName}
        </span>
      }
      actions={
        <>
          <Button
            size="small"
            isBusy={testing.isPending}
            onClick={() => testing.mutate()}
            icon={PlugZap}
          >
            Test connection
          </Button>
          <Button size="small" onClick={() => setOpen('edit')} icon={Pencil}>
            Edit
          </Button>
          <Button size="small" look="quiet-danger" onClick={() => setOpen('delete')} icon={Trash2}>
            Delete
          </Button>
        </>
      }
    >
      <ConnectionFacts connection={connection} />
      {connection.mode === 'WEBHOOK' && <EventsSetup connection={connection} />}
      <div role="status">
        {testing.data && !testing.isPending && <TestResult result={testing.data} />}
      </div>
      {testing.error && <ErrorNote error={testing.error} />}
      {open === 'edit' && <EditConnectionDialog connection={connection} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={`Delete ${connection.displayName}?`}
          description={`Its tokens are erased, and its channels are unmapped in every project. From then on, messages stay where they are written. Messages that are already here and in ${provider} stay there. You can’t undo this.`}
          action="Delete connection"
          onConfirm={async () => {
            await client.channels.disconnect(connection.id);
            await refetchList();
            toast('Connection deleted');
            onDeleted();
          }}
          onClose={close}
        />
      )}
    </Card>
  );
}

function ConnectionFacts({ connection }: { connection: ChannelConnection }) {
  const { provider, serverUrl, mode, trustsEmails, lastError, lastEventAt } = connection;
  const status = statusInWords(connection);
  return (
    <Facts>
      <Fact name="Status" className="flex flex-col items-start gap-1">
        <Badge tone={status.tone}>{status.name}</Badge>
        {status.about && <p>{status.about}</p>}
      </Fact>
      <LastError text={lastError} />
      <Fact name="Last event">{lastEventAt ? <Ago at={lastEventAt} /> : 'None yet'}</Fact>
      {serverUrl && (
        <Fact name="Server address" className="font-mono text-note wrap-anywhere">
          {serverUrl}
        </Fact>
      )}
      {provider === 'SLACK' && <Fact name="Events arrive by">{MODES[mode]}</Fact>}
      <Fact name="Tokens">Stored encrypted</Fact>
      <Fact name="Members">
        {trustsEmails
          ? 'Recognised by email address, verified or not'
          : 'Recognised by verified email address'}
      </Fact>
    </Facts>
  );
}
