import type { Project } from '@atrium/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { Cable } from 'lucide-react';
import { useChannels } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { CardList } from '../../ui/pages/card-list.tsx';
import { RoleNote } from '../../ui/pages/page.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { useManages } from '../../data/manages.ts';
import { OfProject, ProjectLink } from '../projects/of-project.tsx';
import { MapDialog } from './map-dialog.tsx';
import { MappingCard } from './mapping-card.tsx';
import { useChatConnections } from './queries.ts';

const route = getRouteApi('/workspace/p/$slug/channels');

export function ChannelsScreen() {
  const { slug } = route.useParams();
  return (
    <OfProject slug={slug}>
      {(project) => <ProjectChannels key={project.id} project={project} />}
    </OfProject>
  );
}

function ProjectChannels({ project }: { project: Project }) {
  const isManager = useManages(project);
  const mappings = useChannels(project.id);
  const connections = useChatConnections(isManager);
  const noConnection = useNoConnection();
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-6 p-4 sm:p-6">
      <CardList
        title="Channels"
        description={
          <>
            <ProjectLink project={project} />
            <p>
              Channels of Slack or Mattermost that are sessions of this project too. What people
              write on one side appears on the other.
            </p>
          </>
        }
        note={
          !isManager && (
            <RoleNote>Only the project’s creator, an owner or an admin can map channels.</RoleNote>
          )
        }
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
