import type { Task } from '@atrium/sdk';
import { UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { PersonAvatar } from '../../../shared/person/person-avatar.tsx';
import { AgentAvatar } from '../../../ui/marks/avatar.tsx';
import { assigneeOf, useAssigneeName } from '../assignees.ts';
import { PriorityIcon } from '../pickers/priority-icon.tsx';
import { StatusIcon } from '../status-icon.tsx';
import { STATUS } from '../statuses.ts';
import { dayFromNow, PRIORITY } from '../task-words.ts';
import type { Group } from './search-params.ts';

interface TaskGroup {
  /** Empty if there are no headings. */
  name: string;
  icon: ReactNode;
  tasks: Task[];
}

const DUE = ['Overdue', 'Today', 'Next 7 days', 'Later', 'No due date'];

interface Grouping {
  /** The headings, in their order. */
  keys: string[];
  keyOf: (task: Task) => string;
  /** Of a task below it. */
  show: (task: Task) => Pick<TaskGroup, 'name' | 'icon'>;
}

/** Tasks under their headings, which have an order of their own. Within each, they stay as listed. */
export function useGroups(by: Group, tasks: readonly Task[]): TaskGroup[] {
  const nameOf = useAssigneeName();
  const { keys, keyOf, show } = by === 'assignee' ? byAssignee(tasks, nameOf) : GROUPINGS[by];
  const grouped = Map.groupBy(tasks, keyOf);
  return keys.flatMap((key) => {
    const listed = grouped.get(key);
    const [first] = listed ?? [];
    return listed && first ? [{ ...show(first), tasks: listed }] : [];
  });
}

const GROUPINGS: Record<Exclude<Group, 'assignee'>, Grouping> = {
  none: { keys: [''], keyOf: () => '', show: () => ({ name: '', icon: null }) },
  status: {
    keys: Object.keys(STATUS),
    keyOf: ({ status }) => status,
    show: ({ status }) => ({ name: STATUS[status], icon: <StatusIcon status={status} /> }),
  },
  priority: {
    keys: Object.keys(PRIORITY),
    keyOf: ({ priority }) => priority,
    show: ({ priority }) => ({
      name: priority === 'NONE' ? 'No priority' : PRIORITY[priority],
      icon: <PriorityIcon priority={priority} />,
    }),
  },
  due: { keys: DUE, keyOf: dueGroup, show: (task) => ({ name: dueGroup(task), icon: null }) },
};

/** By name, and those of nobody last. */
function byAssignee(tasks: readonly Task[], nameOf: (value: string) => string): Grouping {
  const order = (one: string, other: string) =>
    one === '' ? 1 : other === '' ? -1 : nameOf(one).localeCompare(nameOf(other));
  return {
    keys: [...new Set(tasks.map(assigneeOf))].toSorted(order),
    keyOf: assigneeOf,
    show(task) {
      const value = assigneeOf(task);
      return { name: value ? nameOf(value) : 'Nobody', icon: <AssigneeIcon value={value} /> };
    },
  };
}

function AssigneeIcon({ value }: { value: string }) {
  const nameOf = useAssigneeName();
  if (value === '') return <UserRound aria-hidden className="size-4 text-muted" />;
  if (value.startsWith('@')) return <AgentAvatar size="tiny" />;
  return <PersonAvatar userId={value} name={nameOf(value)} size="tiny" />;
}

function dueGroup({ dueOn }: Task): string {
  if (dueOn === null) return 'No due date';
  if (dueOn < dayFromNow(0)) return 'Overdue';
  if (dueOn === dayFromNow(0)) return 'Today';
  return dueOn < dayFromNow(7) ? 'Next 7 days' : 'Later';
}
