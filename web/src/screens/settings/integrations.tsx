import { Plug, Plus } from 'lucide-react';
import { useState } from 'react';
import { useIntegrations } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PageHeader, RoleNote } from '../../ui/page.tsx';
import { SkeletonList } from '../../ui/skeleton.tsx';
import { useListFocus } from '../../ui/use-list-focus.ts';
import { AddIntegrationDialog } from './integrations/add-dialog.tsx';
import { OurEndpointCard } from './integrations/our-endpoint-card.tsx';
import { ServerCard } from './integrations/server-card.tsx';

export function IntegrationSettings() {
  const { isAdmin } = useWorkspace();
  const { data: servers, error, refetch } = useIntegrations();
  const [isAdding, setAdding] = useState(false);
  const [newId, setNewId] = useState<string>();
  const { list, focusList } = useListFocus();
  const addButton = isAdmin && (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden className="size-4" />
      Add MCP server
    </Button>
  );
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Integrations" actions={servers && servers.length > 0 && addButton}>
        MCP servers whose tools models can use. Mention one in a session, such as{' '}
        <strong>@tracker</strong>, and the session’s model answers using its tools.
      </PageHeader>
      {!isAdmin && (
        <RoleNote>
          You can mention integrations. Only owners and admins can add, test or delete them.
        </RoleNote>
      )}
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!servers && !error && <SkeletonList rows={3} label="Loading integrations…" />}
      <div ref={list} tabIndex={-1} className="flex flex-col gap-6 outline-none">
        {servers?.length === 0 && (
          <EmptyState
            icon={<Plug className="size-8" />}
            title="No MCP servers yet"
            action={addButton}
          >
            Connect an issue tracker, a database or anything else that speaks the Model Context
            Protocol.
          </EmptyState>
        )}
        {servers?.map((server) => (
          <ServerCard
            key={server.id}
            server={server}
            isNew={server.id === newId}
            onDeleted={focusList}
          />
        ))}
      </div>
      <OurEndpointCard />
      {isAdding && (
        <AddIntegrationDialog
          onClose={() => setAdding(false)}
          onAdded={({ id }) => {
            setAdding(false);
            setNewId(id);
            focusList();
          }}
        />
      )}
    </div>
  );
}
