import type { Agent } from '@atrium/sdk';
import { Archive, MessageCircle, Pencil } from 'lucide-react';
import { useState } from 'react';
import { useIntegrations, usePeople } from '../../../data/queries.ts';
import { Badge } from '../../../ui/marks/badge.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../../ui/layers/dialog.tsx';
import { Fact, Facts } from '../../../ui/pages/facts.tsx';
import { AgentAvatar } from '../../../ui/marks/avatar.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { BoundProjects } from '../bound-projects.tsx';
import { AgentDialog } from './agent-dialog.tsx';
import { isToolName, TOOLS } from './tools.ts';
import { TryDialog } from './try-dialog.tsx';
import { useArchiveAgent, useCanChange } from './use-archive-agent.ts';

export function AgentCard({ agent, onArchived }: { agent: Agent; onArchived: () => void }) {
  const [open, setOpen] = useState<'try' | 'edit' | 'archive'>();
  const close = () => setOpen(undefined);
  const canChange = useCanChange(agent);
  const { archive } = useArchiveAgent(agent);
  return (
    <Card
      title={agent.name}
      icon={<AgentAvatar slug={agent.slug} />}
      description={
        <>
          Ask it as <strong className="wrap-anywhere text-ink">@{agent.slug}</strong>
        </>
      }
      actions={
        <>
          {agent.isEnabled && (
            <Button size="small" onClick={() => setOpen('try')} icon={MessageCircle}>
              Try it
            </Button>
          )}
          {canChange && (
            <>
              <Button size="small" onClick={() => setOpen('edit')} icon={Pencil}>
                Edit
              </Button>
              <Button
                size="small"
                look="quiet-danger"
                onClick={() => setOpen('archive')}
                icon={Archive}
              >
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
      <AgentFacts agent={agent} />
      {open === 'try' && <TryDialog agent={agent} onClose={close} />}
      {open === 'edit' && <AgentDialog agent={agent} onClose={close} />}
      {open === 'archive' && (
        <ConfirmDialog
          title={`Archive @${agent.slug}?`}
          description="It no longer answers. Its messages and its name stay, so you can restore it later. To pause it, edit it and turn off “Enabled”."
          action="Archive agent"
          onConfirm={async () => {
            await archive.mutateAsync();
            onArchived();
          }}
          onClose={close}
        />
      )}
    </Card>
  );
}

function AgentFacts({ agent }: { agent: Agent }) {
  const { data: servers = [] } = useIntegrations();
  const person = usePeople();
  const tools = [
    ...agent.tools.map((name) => (isToolName(name) ? TOOLS[name].label : name)),
    ...servers.filter(({ id }) => agent.mcpServerIds.includes(id)).map((one) => one.displayName),
  ];
  return (
    <Facts>
      <Fact name="Status">
        {agent.isEnabled ? <Badge tone="good">Enabled</Badge> : <Badge tone="warn">Disabled</Badge>}
      </Fact>
      <Fact name="Model">{agent.model ?? 'Default model'}</Fact>
      <Fact name="Tools">{tools.join(', ') || 'None'}</Fact>
      <Fact name="Projects">
        <BoundProjects projectIds={agent.projectIds} />
      </Fact>
      <Fact
        name="Instructions"
        dir="auto"
        className="line-clamp-3 whitespace-pre-wrap wrap-anywhere"
      >
        {agent.instructions.trim() || 'None'}
      </Fact>
      <Fact name="Created by" dir="auto">
        {person(agent.createdById).name}
      </Fact>
    </Facts>
  );
}
