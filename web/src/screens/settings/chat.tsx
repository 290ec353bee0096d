import { Cable } from 'lucide-react';
import { useWorkspace } from '../../data/workspace.tsx';
import { PageHeader, RoleNote } from '../../ui/pages/page.tsx';
import { useChatConnections } from '../channels/queries.ts';
import { CardList } from '../../ui/pages/card-list.tsx';
import { AddConnectionDialog } from './chat/add-dialog.tsx';
import { ConnectionCard } from './chat/connection-card.tsx';

export function ChatSettings() {
  const { isAdmin } = useWorkspace();
  const connections = useChatConnections(isAdmin);
  if (!isAdmin) {
    return (
      <>
        <PageHeader title="Chat connections" />
        <RoleNote>Only owners and admins can see and change chat connections.</RoleNote>
      </>
    );
  }
  return (
    <CardList
      title="Chat connections"
      description="Connect Slack or Mattermost once for the organisation. Then map channels to sessions on each project’s Channels page."
      query={connections}
      loading="Loading connections…"
      empty={{
        icon: Cable,
        title: 'No chat connections yet',
        text: 'With a connection, your agents and memory are available in the channels where your team already talks.',
      }}
      add="Add connection"
      card={(connection, onChanged) => (
        <ConnectionCard key={connection.id} connection={connection} onDeleted={onChanged} />
      )}
      dialog={(onClose, onChanged) => <AddConnectionDialog onClose={onClose} onAdded={onChanged} />}
    />
  );
}
