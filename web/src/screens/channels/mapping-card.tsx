import type { ChannelConnection, ChannelMapping, Project } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pause, Play, Settings2, Unlink } from 'lucide-react';
import { useState } from 'react';
import { nameSession } from '../../data/all-sessions.ts';
import { keys } from '../../data/query-keys.ts';
import { useSessions } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { FormDialog } from '../../ui/forms/form.tsx';
import { Badge } from '../../ui/marks/badge.tsx';
import { Fact, Facts, LastError } from '../../ui/pages/facts.tsx';
import { Card } from '../../ui/pages/page.tsx';
import { toast } from '../../ui/layers/toast.tsx';
import { useManages } from '../../data/manages.ts';
import { MappingFields } from './mapping-fields.tsx';
import { ANSWERS, DIRECTIONS, STATUSES } from './mapping-words.ts';
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
      {open === 'edit' && <EditDialog mapping={mapping} onClose={close} />}
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

function MappingFacts({ slug, mapping }: { slug: string; mapping: ChannelMapping }) {
  const { data: sessions } = useSessions(slug);
  const { sessionId, direction, answers, sharesOrgMemory, lastError } = mapping;
  const session = sessions?.find(({ id }) => id === sessionId);
  const status = STATUSES[mapping.status];
  return (
    <Facts>
      <Fact name="Status">
        <Badge tone={status.tone}>{status.name}</Badge>
        {mapping.status === 'PAUSED' && (
          <span className="ml-2">Messages stay where they are written.</span>
        )}
      </Fact>
      <LastError text={lastError} />
      <Fact name="Session">
        <Link
          to="/p/$slug/s/$sessionId"
          params={{ slug, sessionId }}
          dir="auto"
          className="inline-flex min-h-6 max-w-full items-center text-accent underline wrap-anywhere"
        >
          {session ? nameSession(session) : 'Open session'}
        </Link>
      </Fact>
      <Fact name="Messages go">{DIRECTIONS[direction]}</Fact>
      <Fact name="Agents answer">{ANSWERS[answers]}</Fact>
      <Fact name="Organisation’s memory">{sharesOrgMemory ? 'Agents may use it' : 'Not used'}</Fact>
    </Facts>
  );
}

function EditDialog({ mapping, onClose }: { mapping: ChannelMapping; onClose: () => void }) {
  const { direction, answers, sharesOrgMemory } = mapping;
  const [value, setValue] = useState({ direction, answers, sharesOrgMemory });
  const update = useUpdateMapping(mapping);
  const onSuccess = () => {
    toast('Channel updated');
    onClose();
  };
  return (
    <FormDialog
      title={`Edit #${mapping.channelName}`}
      action="Save channel"
      saving={update}
      onSubmit={() => update.mutate(value, { onSuccess })}
      onClose={onClose}
    >
      <MappingFields value={value} onChange={setValue} />
    </FormDialog>
  );
}
