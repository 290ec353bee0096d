import type { Project } from '@atrium/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Cable, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useChannels } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PageHeader, RoleNote } from '../../ui/page.tsx';
import { SkeletonList } from '../../ui/skeleton.tsx';
import { useListFocus } from '../../ui/use-list-focus.ts';
import { useManages } from '../projects/manages.ts';
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
  const [isMapping, setMapping] = useState(false);
  const { list, focusList } = useListFocus();
  const mapButton = isManager && !!connections.data?.length && (
    <Button look="primary" onClick={() => setMapping(true)}>
      <Plus aria-hidden className="size-4" />
      Map channel
    </Button>
  );
  const error = mappings.error ?? connections.error;
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-6 p-4 sm:p-6">
      <PageHeader title="Channels" actions={!!mappings.data?.length && mapButton}>
        <ProjectLink project={project} />
        <p>
          Channels of Slack or Mattermost that are sessions of this project too. What people write
          on one side appears on the other.
        </p>
      </PageHeader>
      {!isManager && (
        <RoleNote>Only the project’s creator, an owner or an admin can map channels.</RoleNote>
      )}
      {error && (
        <ErrorNote
          error={error}
          onRetry={() => void Promise.all([mappings.refetch(), connections.refetch()])}
        />
      )}
      {!mappings.data && !error && <SkeletonList rows={2} label="Loading channels…" />}
      <div ref={list} tabIndex={-1} className="flex flex-col gap-6 outline-none">
        {mappings.data?.length === 0 && (
          <NoChannels isConnected={connections.data?.length !== 0} action={mapButton} />
        )}
        {mappings.data?.map((mapping) => (
          <MappingCard
            key={mapping.id}
            project={project}
            mapping={mapping}
            connection={connections.data?.find(({ id }) => id === mapping.connectionId)}
            onUnmapped={focusList}
          />
        ))}
      </div>
      {isMapping && connections.data && (
        <MapDialog
          project={project}
          connections={connections.data}
          onClose={() => setMapping(false)}
          onMapped={focusList}
        />
      )}
    </div>
  );
}

interface NoChannelsProps {
  isConnected: boolean;
  action: ReactNode;
}

function NoChannels({ isConnected, action }: NoChannelsProps) {
  const { isAdmin } = useWorkspace();
  const icon = <Cable className="size-8" />;
  if (isConnected) {
    return (
      <EmptyState icon={icon} title="No channels yet" action={action}>
        Map a channel, and its members can talk to this project’s people and agents without leaving
        their chat.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={icon}
      title="No chat system is connected"
      action={
        isAdmin && (
          <Link to="/settings/chat-connections" className={buttonClass('primary')}>
            Connect Slack or Mattermost
          </Link>
        )
      }
    >
      {isAdmin
        ? 'Connect one for the whole organisation first. Then map its channels here.'
        : 'Ask an owner or an admin to connect Slack or Mattermost. Then you can map channels here.'}
    </EmptyState>
  );
}
