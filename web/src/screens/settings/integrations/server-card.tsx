import type { McpServer } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FolderTree, PlugZap, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useProjects } from '../../../data/queries.ts';
import { keys } from '../../../data/query-keys.ts';
import { useChange } from '../../../data/use-change.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { FormDialog } from '../../../ui/forms/form.tsx';
import { ConfirmDialog } from '../../../ui/layers/dialog.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { Fact, Facts, LastError } from '../../../ui/pages/facts.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { Ago } from '../../../ui/marks/time.tsx';
import { BoundProjects } from '../bound-projects.tsx';
import { ProjectChecklist } from '../project-checklist.tsx';
import { AUTH_TYPES } from './auth-types.ts';
import { TestResult } from './test-result.tsx';

interface ServerCardProps {
  server: McpServer;
  /** It was just added, so its first test starts automatically. */
  isNew: boolean;
  onDeleted: () => void;
}

export function ServerCard({ server, isNew, onDeleted }: ServerCardProps) {
  const { client, org, isAdmin } = useWorkspace();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<'bind' | 'delete'>();
  const refetchList = () => queryClient.invalidateQueries({ queryKey: keys.integrations(org.id) });
  const testing = useMutation({
    mutationFn: () => client.mcp.testConnection(server.id),
    onSettled: refetchList,
  });
  const { mutate: test } = testing;
  const wasTested = useRef(false);
  useEffect(() => {
    if (!isNew || wasTested.current) return;
    wasTested.current = true;
    test();
  }, [isNew, test]);
  return (
    <Card
      title={server.displayName}
      description={
        <>
          Mention <strong className="wrap-anywhere text-ink">@{server.mentionSlug}</strong> in a
          session
        </>
      }
      actions={
        isAdmin && (
          <>
            <Button size="small" isBusy={testing.isPending} onClick={() => test()} icon={PlugZap}>
              Test connection
            </Button>
            <Button size="small" onClick={() => setOpen('bind')} icon={FolderTree}>
              Choose projects
            </Button>
            <Button
              size="small"
              look="quiet-danger"
              onClick={() => setOpen('delete')}
              icon={Trash2}
            >
              Delete
            </Button>
          </>
        )
      }
    >
      <ServerFacts server={server} />
      <div role="status">
        {testing.data && !testing.isPending && <TestResult result={testing.data} />}
      </div>
      {testing.error && <ErrorNote error={testing.error} />}
      {open === 'bind' && <BindDialog server={server} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={`Delete @${server.mentionSlug}?`}
          description="Mentions will no longer be answered, and the stored secret is erased. Messages that used it stay."
          action="Delete integration"
          onConfirm={async () => {
            await client.mcp.delete(server.id);
            await refetchList();
            onDeleted();
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Card>
  );
}

function ServerFacts({ server }: { server: McpServer }) {
  const { endpointUrl, authType, hasSecret, lastTestedAt, lastError } = server;
  return (
    <Facts>
      <Fact
        name="Address"
        title={endpointUrl}
        className="line-clamp-3 font-mono text-note wrap-anywhere"
      >
        {endpointUrl}
      </Fact>
      <Fact name="Authentication">
        {AUTH_TYPES[authType].name}
        {hasSecret && ', stored encrypted'}
      </Fact>
      <Fact name="Projects">
        <BoundProjects projectIds={server.projectIds} />
      </Fact>
      <Fact name="Last tested">{lastTestedAt ? <Ago at={lastTestedAt} /> : 'Never'}</Fact>
      <LastError text={lastError} />
    </Facts>
  );
}

/** Where the integration may be mentioned: in the checked projects, or in all if none is checked. */
function BindDialog({ server, onClose }: { server: McpServer; onClose: () => void }) {
  const { data: projects } = useProjects();
  const [chosen, setChosen] = useState(server.projectIds);
  const binding = useChange({
    send: ({ client }) => client.mcp.bindProjects(server.id, { projectIds: chosen }),
    refetch: keys.integrations,
    onDone: onClose,
  });
  return (
    <FormDialog
      title={`Projects for @${server.mentionSlug}`}
      description="Choose the projects whose sessions can mention it. If you choose none, it’s available in all of them."
      action="Save projects"
      saving={binding}
      isDisabled={!projects}
      onSubmit={() => binding.mutate()}
      onClose={onClose}
    >
      <ProjectChecklist value={chosen} onChange={setChosen} />
      <p role="status" className="text-sm">
        {chosen.length === 0
          ? 'Available in every project.'
          : `Available in ${chosen.length === 1 ? 'one project' : `${chosen.length} projects`} only.`}
      </p>
    </FormDialog>
  );
}
