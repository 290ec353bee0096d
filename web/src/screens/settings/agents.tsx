import { Bot, Plus } from 'lucide-react';
import { useState } from 'react';
import { useAgents } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PageHeader, RoleNote } from '../../ui/page.tsx';
import { SkeletonList } from '../../ui/skeleton.tsx';
import { useListFocus } from '../../ui/use-list-focus.ts';
import { AgentCard } from './agents/agent-card.tsx';
import { AgentDialog } from './agents/agent-dialog.tsx';

export function AgentSettings() {
  const { isAdmin } = useWorkspace();
  const { data: agents, error, refetch } = useAgents();
  const [isCreating, setCreating] = useState(false);
  const { list, focusList } = useListFocus();
  const createButton = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" />
      Create agent
    </Button>
  );
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Agents" actions={agents && agents.length > 0 && createButton}>
        Models with a job: your instructions, their own name and tools. Mention one in a session,
        such as <strong>@support</strong>, and it answers.
      </PageHeader>
      {!isAdmin && (
        <RoleNote>
          You can create agents for projects you belong to, and change your own. Owners and admins
          can change every agent, and make agents for every project.
        </RoleNote>
      )}
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!agents && !error && <SkeletonList rows={3} label="Loading agents…" />}
      <div ref={list} tabIndex={-1} className="flex flex-col gap-6 outline-none">
        {agents?.length === 0 && (
          <EmptyState icon={<Bot className="size-8" />} title="No agents yet" action={createButton}>
            Write once how meeting notes, support answers, release notes or code reviews should
            look. Then anyone in the team gets them with one mention. Start from a template and
            change what doesn’t fit. An agent reads only what everyone in the session may read.
          </EmptyState>
        )}
        {agents?.map((agent) => (
          <AgentCard key={agent.id} agent={agent} onArchived={focusList} />
        ))}
      </div>
      {isCreating && (
        <AgentDialog
          onClose={() => setCreating(false)}
          onSaved={() => {
            setCreating(false);
            focusList();
          }}
        />
      )}
    </div>
  );
}
