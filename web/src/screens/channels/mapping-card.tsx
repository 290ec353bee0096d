import type { ChannelConnection, ChannelMapping, Project } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pause, Play, Settings2, Unlink } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../../data/query-keys.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { Card } from '../../ui/pages/page.tsx';
import { toast } from '../../ui/layers/toast.tsx';
import { useManages } from '../../data/manages.ts';
import { EditMappingDialog } from './edit-mapping-dialog.tsx';
import { MappingFacts } from './mapping-facts.tsx';
import { PROVIDER_NAMES } from '../../shared/channel-names.ts';
import { useUpdateMapping } from './queries.ts';

interface MappingCardProps {
  project: Project;
  mapping: ChannelMapping;
  /** Only known to those who may map channels. */
  connection: ChannelConnection | undefined;
  onUnmapped: () => void;
}

export function MappingCard({ project, mapping, connection, onUnmapped }: MappingCardProps) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const isManager = useManages(project);
  const update = useUpdateMapping(mapping);
  const [open, setOpen] = useState<'edit' | 'unmap'>();
  const close = () => setOpen(undefined);
  const isActive = mapping.status === 'ACTIVE';
  // Then a new token is needed first, and heals the mapping too.
  const isCutOff = connection?.status === 'BROKEN';
  const provider = PROVIDER_NAMES[mapping.provider];
  return (
    <Card
      title={`#${mapping.channelName}`}
      description={connection ? `${provider}, ${connection.displayName}` : provider}
      actions={
        isManager && (
          <>
            <Button
              size="small"
              icon={isActive ? Pause : Play}
              isBusy={update.isPending}
              disabled={isCutOff && !isActive}
              onClick={() => update.mutate({ status: isActive ? 'PAUSED' : 'ACTIVE' })}
            >
              {isActive ? 'Pause' : mapping.status === 'PAUSED' ? 'Resume' : 'Try again'}
            </Button>
            <Button size="small" onClick={() => setOpen('edit')} icon={Settings2}>
              Edit
            </Button>
            <Button size="small" look="quiet-danger" onClick={() => setOpen('unmap')} icon={Unlink}>
              Unmap
            </Button>
          </>
        )
      }
    >
      {update.error && <ErrorNote error={update.error} />}
      {isCutOff && <CutOff />}
      <MappingFacts slug={project.slug} mapping={mapping} />
      {open === 'edit' && <EditMappingDialog mapping={mapping} onClose={close} />}
      {open === 'unmap' && (
        <ConfirmDialog
          title={`Unmap #${mapping.channelName}?`}
          description={`From now on, messages stay where they are written. Messages that are already in the session and in ${provider} stay there. You can map the channel again later.`}
          action="Unmap channel"
          onConfirm={async () => {
            await client.channels.delete(project.id, mapping.id);
            await queryClient.invalidateQueries({
              queryKey: keys.projectChannels(org.id, project.id),
            });
            toast('Channel unmapped');
            onUnmapped();
          }}
          onClose={close}
        />
      )}
    </Card>
  );
}

function CutOff() {
  const { isAdmin } = useWorkspace();
  return (
    <p className="rounded-md bg-danger-soft px-3 py-2 text-sm">
      The connection to the chat system isn’t working.{' '}
      {isAdmin ? (
        <Link to="/settings/chat-connections" className="text-accent underline">
          Fix it in Chat connections
        </Link>
      ) : (
        'Ask an owner or an admin to fix it under Settings → Chat connections.'
      )}
    </p>
  );
}
