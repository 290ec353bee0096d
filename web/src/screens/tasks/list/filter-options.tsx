import { Bot, CalendarDays, UserRound } from 'lucide-react';
import {
  useAgents,
  useAgentsIn,
  useMembers,
  useModels,
  useProjectMembers,
} from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { PersonAvatar } from '../../../shared/person/person-avatar.tsx';
import { AgentAvatar } from '../../../ui/marks/avatar.tsx';
import type { PickerOption } from '../../../ui/pickers/picker-option.ts';
import { useAssigneeName } from '../assignees.ts';
import type { Due } from './search-params.ts';

const DUE: Record<Due, string> = {
  overdue: 'Overdue',
  today: 'Today or before',
  week: 'Next 7 days',
  month: 'Next 30 days',
};

export const DUE_OPTIONS = Object.entries(DUE).map(([value, name]): PickerOption => ({
  value,
  name,
  icon: <CalendarDays className="size-4 text-muted" />,
}));

/** By how the latest work of an agent is going, or ended. */
const RUN = {
  RUNNING: 'Working',
  COMPLETED: 'Finished',
  FAILED: 'Failed',
  STOPPED: 'Stopped',
};

export const RUN_OPTIONS = Object.entries(RUN).map(([value, name]): PickerOption => ({
  value,
  name,
  icon: <Bot className="size-4 text-muted" />,
}));

/** The person, nobody, other people, agents and models; and those that are chosen, even if they are gone. */
export function useAssigneeFilter(
  projectId: string | undefined,
  chosen: readonly string[],
): PickerOption[] {
  const { profile } = useWorkspace();
  const { data: ofOrg = [] } = useMembers();
  const { data: ofProject } = useProjectMembers(projectId);
  const { data: ofAll = [] } = useAgents();
  const ofThis = useAgentsIn(projectId);
  const agents = projectId === undefined ? ofAll : ofThis;
  const { data: models = [] } = useModels();
  const nameOf = useAssigneeName();
  const members = projectId === undefined ? ofOrg : (ofProject ?? []);
  const people = members
    .filter(({ userId }) => userId !== profile.userId)
    .map(({ userId, name }) => personOption(userId, name));
  const workers = [
    ...agents.map(({ slug, name }) => agentOption(slug, name)),
    ...models.map(({ slug }) => agentOption(slug, slug)),
  ];
  const listed = [
    personOption('me', 'Me', profile.userId),
    { value: 'none', name: 'Nobody', icon: <UserRound className="size-4 text-muted" /> },
    ...people,
    ...workers,
  ];
  const gone = chosen.filter((value) => !listed.some((option) => option.value === value));
  const others = gone.map((value) =>
    value.startsWith('@')
      ? agentOption(value.slice(1), nameOf(value))
      : personOption(value, nameOf(value)),
  );
  return [...listed, ...others];
}

function personOption(value: string, name: string, userId = value): PickerOption {
  return { value, name, icon: <PersonAvatar userId={userId} name={name} size="tiny" /> };
}

function agentOption(slug: string, name: string): PickerOption {
  return { value: `@${slug}`, name, icon: <AgentAvatar size="tiny" /> };
}
