import type { AgentRow } from './store.ts';

export function presentAgent(agent: AgentRow) {
  return {
    ...agent,
    createdAt: agent.createdAt.toISOString(),
    updatedAt: agent.updatedAt.toISOString(),
    archivedAt: agent.archivedAt?.toISOString() ?? null,
  };
}
