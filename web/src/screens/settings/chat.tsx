import { Cable, Plus } from 'lucide-react';
import { useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PageHeader, RoleNote } from '../../ui/page.tsx';
import { SkeletonList } from '../../ui/skeleton.tsx';
import { useListFocus } from '../../ui/use-list-focus.ts';
import { useChatConnections } from '../channels/queries.ts';
import { AddConnectionDialog } from './chat/add-dialog.tsx';
import { ConnectionCard } from './chat/connection-card.tsx';

export function ChatSettings() {
  const { isAdmin } = useWorkspace();
  return (
    <div className="flex flex-col gap-6">
      {isAdmin ? (
        <Connections />
      ) : (
        <>
          <PageHeader title="Chat connections" />
          <RoleNote>Only owners and admins can see and change chat connections.</RoleNote>
        </>
      )}
    </div>
  );
}

function Connections() {
  const { data: connections, error, refetch } = useChatConnections(true);
  const [isAdding, setAdding] = useState(false);
  const { list, focusList } = useListFocus();
  const addButton = (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden className="size-4" />
      Add connection
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Chat connections"
        actions={connections && connections.length > 0 && addButton}
      >
        Connect Slack or Mattermost once for the organisation. Then map channels to sessions on each
        project’s Channels page.
      </PageHeader>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!connections && !error && <SkeletonList rows={2} label="Loading connections…" />}
      <div ref={list} tabIndex={-1} className="flex flex-col gap-6 outline-none">
        {connections?.length === 0 && (
          <EmptyState
            icon={<Cable className="size-8" />}
            title="No chat connections yet"
            action={addButton}
          >
            With a connection, your agents and memory are available in the channels where your team
            already talks.
          </EmptyState>
        )}
        {connections?.map((connection) => (
          <ConnectionCard key={connection.id} connection={connection} onDeleted={focusList} />
        ))}
      </div>
      {isAdding && <AddConnectionDialog onClose={() => setAdding(false)} onAdded={focusList} />}
    </>
  );
}
