import type { McpServer } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FolderTree, PlugZap, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Card } from '../../../ui/page.tsx';
import { toSentence } from '../../../ui/sentence.ts';
import { Ago } from '../../../ui/time.tsx';
import { BoundProjects } from '../bound-projects.tsx';
import { AUTH_TYPES } from './auth-types.ts';
import { BindDialog } from './bind-dialog.tsx';
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
            <Button size="small" isBusy={testing.isPending} onClick={() => test()}>
              {!testing.isPending && <PlugZap aria-hidden className="size-4" />}
              Test connection
            </Button>
            <Button size="small" onClick={() => setOpen('bind')}>
              <FolderTree aria-hidden className="size-4" />
              Choose projects
            </Button>
            <Button
              size="small"
              look="quiet"
              className="text-danger!"
              onClick={() => setOpen('delete')}
            >
              <Trash2 aria-hidden className="size-4" />
              Delete
            </Button>
          </>
        )
      }
    >
      <Facts server={server} />
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

function Facts({ server }: { server: McpServer }) {
  const { endpointUrl, authType, hasSecret, lastTestedAt, lastError } = server;
  return (
    <dl className="grid grid-cols-1 gap-x-4 gap-y-1 text-sm sm:grid-cols-[8rem_1fr] [&>dd]:mb-2 sm:[&>dd]:mb-0 [&>dt]:text-muted">
      <dt>Address</dt>
      <dd title={endpointUrl} className="line-clamp-3 font-mono text-note wrap-anywhere">
        {endpointUrl}
      </dd>
      <dt>Authentication</dt>
      <dd>
        {AUTH_TYPES[authType].name}
        {hasSecret && ', stored encrypted'}
      </dd>
      <dt>Projects</dt>
      <dd>
        <BoundProjects projectIds={server.projectIds} />
      </dd>
      <dt>Last tested</dt>
      <dd>{lastTestedAt ? <Ago at={lastTestedAt} /> : 'Never'}</dd>
      {lastError && (
        <>
          <dt>Last error</dt>
          <dd className="text-danger wrap-anywhere">{toSentence(lastError)}</dd>
        </>
      )}
    </dl>
  );
}
