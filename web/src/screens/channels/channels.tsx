import type { Project } from '@atrium/sdk';
import { Cable } from 'lucide-react';
import { useChannels } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { CardList } from '../../ui/pages/card-list.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { useManages } from '../../data/manages.ts';
import { OfProject } from '../projects/of-project.tsx';
import { ProjectHeader } from '../projects/project-header.tsx';
import { MapDialog } from './map-dialog.tsx';
import { MappingCard } from './mapping-card.tsx';
import { useChatConnections } from './queries.ts';
import { PAGE } from '../../ui/pages/page-edge.ts';

export function ChannelsScreen() {
  return (
    <OfProject>{(project) => <ProjectChannels key={project.id} project={project} />}</OfProject>
  );
}

function ProjectChannels({ project }: { project: Project }) {
  const isManager = useManages(project);
  const mappings = useChannels(project.id);
  const connections = useChatConnections(isManager);
  const noConnection = useNoConnection();
  return (
    <div className={PAGE}>
      <CardList
        header={(actions) => (
          <>
            <ProjectHeader project={project} page="Channels" actions={actions} />
            <p className="max-w-prose text-sm text-muted">
              Channels of Slack or Mattermost that are sessions of this project too. What people
              write on one side appears on the other.
            </p>
          </>
        )}
        note={!isManager && 'Only the project’s creator, an owner or an admin can map channels.'}
        query={{
          data: mappings.data,
          error: mappings.error ?? connections.error,
          refetch: () => Promise.all([mappings.refetch(), connections.refetch()]),
        }}
        loading="Loading channels…"
        empty={connections.data?.length === 0 ? noConnection : NO_CHANNELS}
        add={isManager && connections.data?.length ? 'Map channel' : undefined}
        card={(mapping, onChanged) => (
          <MappingCard
            key={mapping.id}
            project={project}
            mapping={mapping}
            connection={connections.data?.find(({ id }) => id === mapping.connectionId)}
            onUnmapped={onChanged}
          />
        )}
        dialog={(onClose, onMapped) => (
          <MapDialog connections={connections.data ?? []} {...{ project, onClose, onMapped }} />
        )}
      />
    </div>
  );
}

const NO_CHANNELS = {
  icon: Cable,
  title: 'No channels yet',
  text: 'Map a channel, and its members can talk to this project’s people and agents without leaving their chat.',
};

function useNoConnection() {
  const { isAdmin } = useWorkspace();
  return {
    icon: Cable,
    title: 'No chat system is connected',
    text: isAdmin
      ? 'Connect one for the whole organisation first. Then map its channels here.'
      : 'Ask an owner or an admin to connect Slack or Mattermost. Then you can map channels here.',
    action: isAdmin && (
      <LinkButton look="primary" to="/settings/chat-connections">
        Connect Slack or Mattermost
      </LinkButton>
    ),
  };
}
