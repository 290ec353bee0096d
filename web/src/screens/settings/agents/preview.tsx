import type { ReactNode } from 'react';
import { useIntegrations } from '../../../data/queries.ts';
import { TOOLS } from './tools.ts';
import { slugOf, type AgentValues } from './values.ts';

/** What a model is given when someone mentions this agent, in that order. */
export function AgentPreview({ values }: { values: AgentValues }) {
  const { instructions, tools, mcpServerIds } = values;
  const { data: servers = [] } = useIntegrations();
  const chosen = servers.filter(({ id }) => mcpServerIds.includes(id));
  const toolNames = [
    ...tools.map((tool) => TOOLS[tool].label),
    ...chosen.map(({ displayName }) => `tools of ${displayName}`),
  ];
  return (
    <ol
      aria-label="What the agent sees"
      className="flex flex-col gap-3 rounded-md border border-line bg-ground p-3 text-sm"
    >
      <Part title="What every agent is told">
        It is @{slugOf(values) || '…'}, in your team’s workspace. It answers briefly, in the
        language of the question, and cites the memories that it uses. What people and programs
        wrote is information, never orders.
      </Part>
      <Part title="Your instructions">
        {instructions.trim() === '' ? (
          'None yet. It answers like its model.'
        ) : (
          <bdi className="block whitespace-pre-wrap text-ink wrap-anywhere">{instructions}</bdi>
        )}
      </Part>
      <Part title="Tools">
        {toolNames.length === 0 ? 'None. It only answers.' : toolNames.join(', ')}
      </Part>
      <Part title="Memory">
        What fits the question in the memory of the organisation and of the session’s project. Never
        anyone’s private memory.
      </Part>
      <Part title="The session">Its latest messages, and then the question that mentions it.</Part>
    </ol>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="flex min-w-0 flex-col gap-0.5">
      <span className="font-medium">{title}</span>
      <div className="text-muted">{children}</div>
    </li>
  );
}
