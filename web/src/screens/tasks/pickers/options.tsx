import { Bot, Tag, UserRound } from 'lucide-react';
import { useMemo } from 'react';
import { useAgentsIn, useModels, useProjectMembers } from '../../../data/queries.ts';
import { keys } from '../../../data/query-keys.ts';
import { useFetched } from '../../../data/use-fetched.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { PersonAvatar } from '../../../shared/person/person-avatar.tsx';
import { AgentAvatar } from '../../../ui/marks/avatar.tsx';
import type { PickerOption } from '../../../ui/pickers/picker-option.ts';
import { useAssigneeName } from '../assignees.ts';
import { StatusIcon } from '../status-icon.tsx';
import { STATUS, type Status } from '../statuses.ts';
import { PRIORITY, type Priority } from '../task-words.ts';
import { PriorityIcon } from './priority-icon.tsx';

/** What the pickers of tasks offer. */

export const STATUS_OPTIONS = Object.entries(STATUS).map(([value, name]): PickerOption<Status> => ({
  value: value as Status,
  name,
  icon: <StatusIcon status={value as Status} />,
}));

export const PRIORITY_OPTIONS = Object.entries(PRIORITY).map(
  ([value, name]): PickerOption<Priority> => ({
    value: value as Priority,
    name: value === 'NONE' ? 'No priority' : name,
    icon: <PriorityIcon priority={value as Priority} />,
  }),
);

const NOBODY: PickerOption = {
  value: '',
  name: 'Nobody',
  icon: <UserRound className="size-4 text-muted" />,
};

/** Nobody, the person, the other members of the project, then agents and models, each by its value (`assignees.ts`). */
export function useAssigneeOptions(projectId: string): readonly PickerOption[] {
  const { profile } = useWorkspace();
  const { data: members } = useProjectMembers(projectId);
  const { data: models } = useModels();
  const agents = useAgentsIn(projectId);
  return useMemo(() => {
    const people = (members ?? []).map(({ userId, name, handle }) => ({
      value: userId,
      name,
      about: userId === profile.userId ? 'You' : handle ? `@${handle}` : undefined,
      group: 'People',
      icon: <PersonAvatar userId={userId} name={name} size="tiny" />,
    }));
    const isMe = ({ value }: PickerOption) => value === profile.userId;
    const named = [...agents, ...(models ?? []).map(({ slug }) => ({ slug, name: slug }))];
    return [
      NOBODY,
      ...people.filter(isMe),
      ...people.filter((person) => !isMe(person)),
      ...named.map(({ slug, name }) => ({
        value: `@${slug}`,
        name,
        about: name === slug ? undefined : `@${slug}`,
        group: 'Agents and models',
        icon: <AgentAvatar size="tiny" />,
      })),
    ];
  }, [members, models, agents, profile.userId]);
}

/** The assignee as an option, also if it is no longer, or not yet, offered. */
export function useKnownAssignee(value: string): PickerOption {
  const nameOf = useAssigneeName();
  if (value === '') return NOBODY;
  const name = nameOf(value);
  const isAgent = value.startsWith('@');
  const icon = isAgent ? (
    <AgentAvatar size="tiny" />
  ) : (
    <PersonAvatar userId={value} name={name} size="tiny" />
  );
  return { value, name, icon };
}

/** Only agents and models, for what only they can do. */
export function onlyAgents(options: readonly PickerOption[], none: string): PickerOption[] {
  const nobody = { value: '', name: none, icon: <Bot className="size-4 text-muted" /> };
  const agents = options.filter(({ value }) => value.startsWith('@'));
  return [nobody, ...agents.map((agent) => ({ ...agent, group: undefined }))];
}

const RECENT = 100;

/** The labels of the tasks that changed last, and those given, in alphabetical order. */
export function useLabelOptions(projectId: string, chosen: readonly string[]): PickerOption[] {
  const { data } = useFetched(
    (orgId) => [...keys.tasks(orgId, projectId), 'labels'],
    async ({ client }, options) => {
      const params = { limit: RECENT, sort: 'updatedAt' as const };
      const { items } = await client.tasks.list(projectId, params, options);
      return [...new Set(items.flatMap(({ labels }) => labels))];
    },
    { staleTime: 60_000 },
  );
  const names = [...new Set([...chosen, ...(data ?? [])])];
  return names
    .toSorted((left, right) => left.localeCompare(right))
    .map((name) => ({ value: name, name, icon: <LabelDot name={name} /> }));
}

const HUES = ['#5b55e0', '#17703f', '#b3541b', '#0e6a8a', '#a12f7a', '#8a6a0f'];

/** A colour that stays the same for one label. */
export function LabelDot({ name }: { name: string }) {
  let sum = 0;
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 9973;
  return (
    <Tag aria-hidden className="size-3.5 shrink-0" style={{ color: HUES[sum % HUES.length] }} />
  );
}
