import type { Agent } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Archive, MessageCircle, Pencil } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useIntegrations, usePeople } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Card } from '../../../ui/page.tsx';
import { BoundProjects } from '../bound-projects.tsx';
import { AgentDialog } from './agent-dialog.tsx';
import { isToolName, TOOLS } from './tools.ts';
import { TryDialog } from './try-dialog.tsx';

interface AgentCardProps {
  agent: Agent;
  onArchived: () => void;
}

export function AgentCard({ agent, onArchived }: AgentCardProps) {
  const { client, org, profile, isAdmin } = useWorkspace();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<'try' | 'edit' | 'archive'>();
  const close = () => setOpen(undefined);
  const isEverywhere = agent.projectIds.length === 0;
  const canChange = isAdmin || (agent.createdById === profile.userId && !isEverywhere);
  return (
    <Card
      title={agent.name}
      description={
        <>
          Ask it as <strong className="wrap-anywhere text-ink">@{agent.slug}</strong>
        </>
      }
      actions={
        <>
          {agent.isEnabled && (
            <Button size="small" onClick={() => setOpen('try')}>
              <MessageCircle aria-hidden className="size-4" />
              Try it
            </Button>
          )}
          {canChange && (
            <>
              <Button size="small" onClick={() => setOpen('edit')}>
                <Pencil aria-hidden className="size-4" />
                Edit
              </Button>
              <Button
                size="small"
                look="quiet"
                className="text-danger!"
                onClick={() => setOpen('archive')}
              >
                <Archive aria-hidden className="size-4" />
                Archive
              </Button>
            </>
          )}
        </>
      }
    >
      {agent.description && (
        <p dir="auto" className="text-sm wrap-anywhere">
          {agent.description}
        </p>
      )}
      <Facts agent={agent} />
      {open === 'try' && <TryDialog agent={agent} onClose={close} />}
      {open === 'edit' && <AgentDialog agent={agent} onClose={close} onSaved={close} />}
      {open === 'archive' && (
        <ConfirmDialog
          title={`Archive @${agent.slug}?`}
          description="It no longer answers. Its messages stay, and nothing else can use its mention. You can’t undo this. To pause it instead, edit it and turn off “Enabled”."
          action="Archive agent"
          onConfirm={async () => {
            await client.agents.archive(agent.id);
            await queryClient.invalidateQueries({ queryKey: keys.agents(org.id) });
            onArchived();
          }}
          onClose={close}
        />
      )}
    </Card>
  );
}

function Facts({ agent }: { agent: Agent }) {
  const { data: servers = [] } = useIntegrations();
  const person = usePeople();
  const tools = [
    ...agent.tools.map((name) => (isToolName(name) ? TOOLS[name].label : name)),
    ...servers.filter(({ id }) => agent.mcpServerIds.includes(id)).map((one) => one.displayName),
  ];
  return (
    <dl className="grid grid-cols-1 gap-x-4 gap-y-1 text-sm sm:grid-cols-[8rem_1fr] [&>dd]:mb-2 sm:[&>dd]:mb-0 [&>dt]:text-muted">
      <dt>Status</dt>
      <dd>
        {agent.isEnabled ? <Badge tone="good">Enabled</Badge> : <Badge tone="warn">Disabled</Badge>}
      </dd>
      <dt>Model</dt>
      <dd className="wrap-anywhere">{agent.model ?? 'Server default'}</dd>
      <dt>Tools</dt>
      <dd className="wrap-anywhere">{tools.join(', ') || 'None'}</dd>
      <dt>Projects</dt>
      <dd>
        <BoundProjects projectIds={agent.projectIds} />
      </dd>
      <dt>Instructions</dt>
      <dd dir="auto" className="line-clamp-3 whitespace-pre-wrap wrap-anywhere">
        {agent.instructions.trim() || 'None'}
      </dd>
      <dt>Created by</dt>
      <dd dir="auto">{person(agent.createdById).name}</dd>
    </dl>
  );
}
