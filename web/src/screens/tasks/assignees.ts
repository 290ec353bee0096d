import type { Task, UpdateTask } from '@atrium/sdk';
import {
  useAgentNames,
  useAgentsIn,
  useModels,
  usePeople,
  useProjectMembers,
} from '../../data/queries.ts';

/** A person's id, an agent's `@slug`, or empty: one value for a select. */
export function assigneeOf({ assigneeUserId, assigneeAgent }: Task): string {
  return assigneeAgent ? `@${assigneeAgent}` : (assigneeUserId ?? '');
}

/** Replaces whoever the task is assigned to. */
export function assignTo(value: string): Pick<UpdateTask, 'assigneeUserId' | 'assigneeAgent'> {
  const isAgent = value.startsWith('@');
  return {
    assigneeUserId: isAgent || value === '' ? null : value,
    assigneeAgent: isAgent ? value.slice(1) : null,
  };
}

/** What to call an assignee, by its value. */
export function useAssigneeName(): (value: string) => string {
  const person = usePeople();
  const agentName = useAgentNames();
  return (value) => (value.startsWith('@') ? agentName(value.slice(1)) : person(value).name);
}

/** Everyone and everything that can work on a task of the project, each by its value and name. */
export function useAssignees(projectId: string) {
  const { data: members = [] } = useProjectMembers(projectId);
  const { data: models = [] } = useModels();
  const agents = useAgentsIn(projectId);
  return {
    people: members.map(({ userId, name }) => [userId, name] as const),
    agents: [
      ...agents.map(({ slug, name }) => [`@${slug}`, name] as const),
      ...models.map(({ slug }) => [`@${slug}`, slug] as const),
    ],
  };
}
