import { Plug } from 'lucide-react';
import { useState } from 'react';
import { useIntegrations } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { CardList } from '../../ui/pages/card-list.tsx';
import { AddIntegrationDialog } from './integrations/add-dialog.tsx';
import { OurEndpointCard } from './integrations/our-endpoint-card.tsx';
import { ServerCard } from './integrations/server-card.tsx';

export function IntegrationSettings() {
  const { isAdmin } = useWorkspace();
  const [newId, setNewId] = useState<string>();
  return (
    <>
      <CardList
        title="Integrations"
        description={
          <>
            MCP servers whose tools models can use. Mention one in a session, such as{' '}
            <strong>@tracker</strong>, and the session’s model answers using its tools.
          </>
        }
        note={
          !isAdmin &&
          'You can mention integrations. Only owners and admins can add, test or delete them.'
        }
        query={useIntegrations()}
        loading="Loading integrations…"
        empty={{
          icon: Plug,
          title: 'No MCP servers yet',
          text: 'Connect an issue tracker, a database or anything else that speaks the Model Context Protocol.',
        }}
        add={isAdmin ? 'Add MCP server' : undefined}
        card={(server, onChanged) => (
          <ServerCard
            key={server.id}
            server={server}
            isNew={server.id === newId}
            onDeleted={onChanged}
          />
        )}
        dialog={(onClose, onChanged) => (
          <AddIntegrationDialog
            onClose={onClose}
            onAdded={({ id }) => {
              setNewId(id);
              onChanged();
            }}
          />
        )}
      />
      <OurEndpointCard />
    </>
  );
}
