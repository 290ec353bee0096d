import type { Task, TaskActivity } from '@atrium/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  Archive,
  CalendarDays,
  CircleDot,
  Pencil,
  Plus,
  SignalHigh,
  Tag,
  UserRound,
  type LucideIcon,
} from 'lucide-react';
import { useMemo } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useAgentNames, usePeople } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Ago } from '../../../ui/marks/time.tsx';
import type { Note } from '../../session/list/rows.ts';
import { useAssigneeName } from '../assignees.ts';
import { changeInWords, groupOf, joinGroups, type ActivityGroup } from './changes-in-words.ts';

const PAGE = 100;

/** Who changed what, as notes between the messages. Undefined while it is loading. */
export function useNotes({ projectId, id }: Task) {
  const { client, org } = useWorkspace();
  const pages = useInfiniteQuery({
    queryKey: [...keys.tasks(org.id, projectId), 'activity', id],
    queryFn: async ({ pageParam, signal }) => {
      const params = { limit: PAGE, ...(pageParam && { before: pageParam }) };
      const page = await client.tasks.listActivity(projectId, id, params, { signal });
      return { items: page.items, hasMore: page.hasNextPage };
    },
    initialPageParam: '',
    getNextPageParam: ({ items, hasMore }) => (hasMore ? items.at(-1)?.id : undefined),
  });
  const { data, error, refetch, hasNextPage, fetchNextPage } = pages;
  const notes = useMemo(() => data && toNotes(data.pages.flatMap(({ items }) => items)), [data]);
  const loadOlderNotes = hasNextPage ? () => void fetchNextPage() : undefined;
  return { notes, error, refetch, loadOlderNotes };
}

/** The API lists the newest first. */
function toNotes(entries: readonly TaskActivity[]): Note[] {
  return entries.toReversed().map((entry) => toNote(groupOf(entry)));
}

interface TaskNote extends Note {
  group: ActivityGroup;
}

function toNote(group: ActivityGroup): TaskNote {
  return {
    id: group.first.id,
    at: group.first.createdAt,
    show: <ActivityNote group={group} />,
    group,
    join(next) {
      const both = joinGroups(group, (next as TaskNote).group);
      return both && toNote(both);
    },
  };
}

const ICONS: Record<string, LucideIcon> = {
  status: CircleDot,
  priority: SignalHigh,
  assigneeUserId: UserRound,
  assigneeAgent: UserRound,
  dueOn: CalendarDays,
  labels: Tag,
  archivedAt: Archive,
};

function ActivityNote({ group: { first, changes } }: { group: ActivityGroup }) {
  const person = usePeople();
  const nameOf = useAssigneeName();
  const agentName = useAgentNames();
  const asker = person(first.actorUserId).name;
  const actor = first.actorAgent ? `${agentName(first.actorAgent)} (asked by ${asker})` : asker;
  const said = saidOnce(changes).map((change) => changeInWords(change, nameOf));
  const [change] = changes;
  const Icon = change ? (ICONS[change.field] ?? Pencil) : Plus;
  return (
    <div dir="auto" className="flex gap-3 px-3 py-1 text-note text-muted sm:px-4">
      <span className="flex w-9 shrink-0 justify-center pt-1">
        <Icon aria-hidden className="size-3.5" />
      </span>
      <span className="min-w-0 wrap-anywhere">
        <span className="font-medium text-ink">{actor}</span>{' '}
        {said.length > 0 ? said.join(', ') : 'created the task'} · <Ago at={first.createdAt} />
      </span>
    </div>
  );
}

/** An agent in the place of a person, or the other way round, is one change in people's eyes. */
function saidOnce(changes: ActivityGroup['changes']): ActivityGroup['changes'] {
  const isAssignee = ({ field }: { field: string }) =>
    field === 'assigneeUserId' || field === 'assigneeAgent';
  const hasNew = changes.some((change) => isAssignee(change) && change.to !== null);
  return hasNew ? changes.filter((change) => !isAssignee(change) || change.to !== null) : changes;
}
