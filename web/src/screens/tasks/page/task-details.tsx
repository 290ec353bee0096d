import type { Project, Task } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CornerDownRight } from 'lucide-react';
import { useTaskById } from '../../../data/queries.ts';
import { Run } from '../changes/run.tsx';
import { Proposal } from './proposal.tsx';
import { Related } from './related.tsx';
import { Subtasks } from './subtasks.tsx';
import { TaskFiles, useAddTaskFiles } from './task-files.tsx';
import { TaskDescription, TaskTitle } from './task-texts.tsx';

interface TaskDetailsProps {
  task: Task;
  project: Project;
  canWrite: boolean;
  /** The properties, if they are not beside it. */
  children: ReactNode;
}

/** What the task says, and what belongs to it. */
export function TaskDetails({ task, project, canWrite, children }: TaskDetailsProps) {
  const { add, isOver, target } = useAddTaskFiles(task, canWrite);
  return (
    <div className="flex flex-col gap-4 px-4 py-5 sm:px-6" {...target}>
      {task.archivedAt && (
        <p role="status" className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          This task is archived. Restore it to change it.
        </p>
      )}
      {task.status === 'PROPOSED' && canWrite && <Proposal task={task} />}
      <div className="flex flex-col gap-1">
        {task.parentTaskId && <Parent task={task} slug={project.slug} />}
        <TaskTitle task={task} canWrite={canWrite} />
      </div>
      {children}
      <TaskDescription {...{ task, project, canWrite }} />
      <TaskFiles {...{ task, canWrite, isOver }} onFiles={add} />
      <Run task={task} canWrite={canWrite} />
      {!task.parentTaskId && <Subtasks slug={project.slug} {...{ task, canWrite }} />}
      <Related task={task} slug={project.slug} />
    </div>
  );
}

function Parent({ task, slug }: { task: Task; slug: string }) {
  const { data: parent } = useTaskById(task.projectId, task.parentTaskId);
  if (!parent) return null;
  return (
    <Link
      to="/p/$slug/t/$number"
      params={{ slug, number: String(parent.number) }}
      dir="auto"
      className="inline-flex min-h-6 max-w-full items-center gap-1.5 self-start text-note text-muted hover:text-ink hover:underline"
    >
      <CornerDownRight aria-hidden className="size-3.5 shrink-0 rtl:-scale-x-100" />
      <span className="truncate">
        Subtask of #{parent.number} {parent.title}
      </span>
    </Link>
  );
}
