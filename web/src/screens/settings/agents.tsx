import { Bot } from 'lucide-react';
import { useAgents } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { AgentCard } from './agents/agent-card.tsx';
import { AgentDialog } from './agents/agent-dialog.tsx';
import { ArchivedAgents } from './agents/archived-agents.tsx';
import { CardList } from '../../ui/pages/card-list.tsx';

export function AgentSettings() {
  const { isAdmin } = useWorkspace();
  return (
    <CardList
      title="Agents"
      description={
        <>
          Models with a job: your instructions, their own name and tools. Mention one in a session,
          such as <strong>@support</strong>, and it answers.
        </>
      }
      note={
        !isAdmin &&
        'You can create agents for projects you belong to, and change your own. Owners and admins can change every agent, and make agents for every project.'
      }
      query={useAgents()}
      loading="Loading agents…"
      empty={{
        icon: Bot,
        title: 'No agents yet',
        text: 'Write once how meeting notes, support answers, release notes or code reviews should look. Then anyone in the team gets them with one mention. Start from a template and change what doesn’t fit. An agent reads only what everyone in the session may read.',
      }}
      add="Create agent"
      card={(agent, onChanged) => <AgentCard key={agent.id} agent={agent} onArchived={onChanged} />}
      after={(onChanged) => <ArchivedAgents onRestored={onChanged} />}
      dialog={(onClose, onChanged) => <AgentDialog onClose={onClose} onSaved={onChanged} />}
    />
  );
}
