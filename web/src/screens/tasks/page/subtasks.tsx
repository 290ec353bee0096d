import type { Task } from '@atrium/sdk';
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { Loading } from '../../../ui/states/loading.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { Assignee } from '../list/task-facts.tsx';
import { useSubtasks } from '../queries.ts';
import { QuickEntry } from '../create/quick-entry.tsx';
import { StatusIcon } from '../status-icon.tsx';
import { TaskLink } from '../list/task-rows.tsx';
import { isClosed } from '../task-words.ts';

interface SubtasksProps {
  task: Task;
  slug: string;
  canWrite: boolean;
}

/** A subtask has none of its own, so this is only shown for other tasks. */
export function Subtasks({ task, slug, canWrite }: SubtasksProps) {
  const [isAdding, setAdding] = useState(false);
  const query = useSubtasks(task);
  const subtasks = query.data;
  const { total, done } = task.subtasks;
  return (
    <section className="flex flex-col gap-2">
      <h2 className="font-semibold">
        Subtasks{' '}
        {total > 0 && (
          <span className="text-note font-normal text-muted">
            {done} of {total} done
          </span>
        )}
      </h2>
      <Loading of={query}>
        <Skeleton className="h-9 w-full" />
      </Loading>
      {subtasks && subtasks.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {subtasks.map((subtask) => (
            <li key={subtask.id} className="relative flex items-center gap-2 px-3 py-2">
              <StatusIcon status={subtask.status} />
              <span className="text-note text-muted">#{subtask.number}</span>
              <span className="min-w-0 flex-1">
                <TaskLink task={subtask} slug={slug} />
              </span>
              <Assignee task={subtask} />
            </li>
          ))}
        </ul>
      )}
      {canWrite && !isClosed(task) && !isAdding && (
        <Button size="small" className="self-start" onClick={() => setAdding(true)}>
          Add subtask
        </Button>
      )}
      {isAdding && (
        <QuickEntry
          label="New subtask"
          fields={{ projectId: task.projectId, parentTaskId: task.id }}
          onCreated={() => {}}
        />
      )}
      {isAdding && (
        <Button size="small" look="quiet" className="self-end" onClick={() => setAdding(false)}>
          Close
        </Button>
      )}
    </section>
  );
}
