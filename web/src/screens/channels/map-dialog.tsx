import { AtriumError, type ChannelConnection, type ChatChannel, type Project } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../data/query-keys.ts';
import { nameSession } from '../../data/all-sessions.ts';
import { useChannels, useSessions } from '../../data/queries.ts';
import { useChange } from '../../data/use-change.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';
import { fieldErrors, FormDialog } from '../../ui/forms/form.tsx';
import { toast } from '../../ui/layers/toast.tsx';
import { ChannelSearch } from './channel-search.tsx';
import { MappingFields, type MappingSettings } from './mapping-fields.tsx';
import { PROVIDER_NAMES } from '../../shared/channel-names.ts';

interface MapDialogProps {
  project: Project;
  /** At least one. */
  connections: ChannelConnection[];
  onClose: () => void;
  onMapped: () => void;
}

const AT_FIRST: MappingSettings = { direction: 'BOTH', answers: 'MEMBERS', sharesOrgMemory: false };

/** Maps a channel to a new or an existing session. */
export function MapDialog({ project, connections, onClose, onMapped }: MapDialogProps) {
  const { org } = useWorkspace();
  const queryClient = useQueryClient();
  const { data: mappings = [] } = useChannels(project.id);
  const { data: sessions = [] } = useSessions(project.slug);
  const [connectionId, setConnectionId] = useState(connections[0]?.id);
  const [channel, setChannel] = useState<ChatChannel>();
  const [sessionId, setSessionId] = useState('');
  const [settings, setSettings] = useState(AT_FIRST);
  const connection = connections.find(({ id }) => id === connectionId) ?? connections[0];
  const mapping = useChange({
    send: ({ client }) =>
      client.channels.create(project.id, {
        connectionId: connection?.id ?? '',
        channelId: channel?.id ?? '',
        ...(sessionId && { sessionId }),
        ...settings,
      }),
    refetch: (orgId) => keys.projectChannels(orgId, project.id),
    onDone: () => {
      void queryClient.invalidateQueries({ queryKey: keys.sessions(org.id, project.slug) });
      toast('Channel mapped');
      onClose();
      onMapped();
    },
  });
  const problems = problemsOf(mapping.error);
  const mappedIds = new Set(mappings.map((mapped) => mapped.sessionId));
  const offered = sessions.filter(
    ({ id, access, taskId }) => access === 'PROJECT' && taskId === null && !mappedIds.has(id),
  );
  return (
    <FormDialog
      width="wide"
      title="Map channel"
      description="From now on, what is written in the channel appears in the session, and the other way round. Older messages stay where they are."
      action="Map channel"
      saving={mapping}
      problems={problems}
      isDisabled={!channel}
      onSubmit={() => mapping.mutate()}
      onClose={onClose}
    >
      {connections.length > 1 && (
        <SelectField
          label="Connection"
          value={connection?.id ?? ''}
          onChange={(id) => {
            setConnectionId(id);
            setChannel(undefined);
          }}
          options={connections.map(({ id, provider, displayName }) => ({
            value: id,
            name: `${displayName} (${PROVIDER_NAMES[provider]})`,
          }))}
        />
      )}
      {connection && (
        <ChannelSearch
          key={connection.id}
          connection={connection}
          mappedIds={new Set(mappings.map(({ channelId }) => channelId))}
          chosen={channel}
          error={problems['channelId']}
          onChoose={setChannel}
        />
      )}
      <SelectField
        label="Session"
        hint="Private sessions can’t be mapped."
        error={problems['sessionId']}
        value={sessionId}
        onChange={setSessionId}
        empty={channel ? `New session named #${channel.name}` : 'New session'}
        options={offered.map((session) => ({ value: session.id, name: nameSession(session) }))}
      />
      <MappingFields value={settings} onChange={setSettings} />
      {channel && settings.direction !== 'IN' && (
        <p role="status" className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          Everyone in #{channel.name} will read what is written in this session, including people
          who aren’t members of {org.name}.
        </p>
      )}
    </FormDialog>
  );
}

/** What is wrong with each field. */
function problemsOf(error: unknown): Record<string, string> {
  // Sessions that are mapped are not offered, so this is about the channel.
  if (error instanceof AtriumError && error.reason === 'channel_mapped') {
    return { channelId: error.message };
  }
  return fieldErrors(error);
}
