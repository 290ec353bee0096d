import type { Task, TaskActivity } from '@atrium/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useAgentNames, usePeople } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Loading } from '../../../ui/states/loading.tsx';
import { MoreButton } from '../../../ui/pages/more-button.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { Ago } from '../../../ui/marks/time.tsx';
import { useAssigneeName } from '../assignees.ts';
import { dueInWords, PRIORITY, STATUS } from '../task-words.ts';

/** Who changed what. Folded, because the discussion is what people come for. */
export function Activity({ task }: { task: Task }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="rounded-lg border border-line bg-surface"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="min-h-9 px-3 py-2 text-sm font-medium">Activity</summary>
      {isOpen && <Entries task={task} />}
    </details>
  );
}

function Entries({ task: { projectId, id } }: { task: Task }) {
  const { client, org } = useWorkspace();
  const entries = useInfiniteQuery({
    queryKey: [...keys.tasks(org.id, projectId), 'activity', id],
    queryFn: async ({ pageParam, signal }) => {
      const params = { limit: 50, ...(pageParam && { before: pageParam }) };
      const page = await client.tasks.listActivity(projectId, id, params, { signal });
      return { items: page.items, hasMore: page.hasNextPage };
    },
    initialPageParam: '',
    getNextPageParam: ({ items, hasMore }) => (hasMore ? items.at(-1)?.id : undefined),
  });
  if (!entries.data || entries.error) {
    return (
      <Loading of={entries}>
        <Skeleton className="m-3 h-5 w-2/3" />
      </Loading>
    );
  }
  return (
    <div className="flex flex-col gap-2 px-3 pb-3">
      <ul aria-label="Activity" className="flex flex-col gap-1.5 text-note text-muted">
        {entries.data.pages.flatMap(({ items }) =>
          items.map((entry) => <Entry key={entry.id} entry={entry} />),
        )}
      </ul>
      <MoreButton of={entries} size="small" className="self-start">
        Show older activity
      </MoreButton>
    </div>
  );
}

function Entry({ entry }: { entry: TaskActivity }) {
  const person = usePeople();
  const nameOf = useAssigneeName();
  const agentName = useAgentNames();
  const asker = person(entry.actorUserId).name;
  const actor = entry.actorAgent ? `${agentName(entry.actorAgent)} (asked by ${asker})` : asker;
  const did = entry.changes.map((change) => inWords(change, nameOf));
  return (
    <li dir="auto" className="wrap-anywhere">
      <span className="font-medium text-ink">{actor}</span>{' '}
      {did.length > 0 ? did.join(', ') : 'created the task'} · <Ago at={entry.createdAt} />
    </li>
  );
}

type Change = TaskActivity['changes'][number];

function inWords({ field, from, to }: Change, nameOf: (value: string) => string): string {
  const text = typeof to === 'string' ? to : '';
  switch (field) {
    case 'status':
      return `moved it from ${named(STATUS, from)} to ${named(STATUS, to)}`;
    case 'priority':
      return `set the priority to ${named(PRIORITY, to)}`;
    case 'assigneeUserId':
      return text ? `assigned it to ${nameOf(text)}` : 'removed the assignee';
    case 'assigneeAgent':
      return text ? `assigned it to ${nameOf(`@${text}`)}` : 'removed the agent';
    case 'dueOn':
      return text ? `set the due date to ${dueInWords(text)}` : 'removed the due date';
    case 'labels':
      return Array.isArray(to) && to.length > 0
        ? `set the labels to ${to.join(', ')}`
        : 'removed the labels';
    case 'title':
      return `renamed it to “${text}”`;
    case 'description':
      return 'changed the description';
    case 'parentTaskId':
      return to ? 'made it a subtask' : 'made it a task of its own';
    case 'archivedAt':
      return to ? 'archived it' : 'restored it';
    default:
      return `changed ${field}`;
  }
}

function named(names: Record<string, string>, value: unknown): string {
  return names[String(value)] ?? String(value);
}
