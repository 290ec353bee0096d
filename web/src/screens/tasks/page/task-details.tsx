import type { Project, Task } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { Archive, ArchiveRestore, Ellipsis } from 'lucide-react';
import { Suspense } from 'react';
import { lazyPart } from '../../../data/parts.ts';
import { useTaskById } from '../../../data/queries.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Menu, MenuItem } from '../../../ui/controls/menu.tsx';
import { Activity } from './activity.tsx';
import { EditInPlace } from './edit-in-place.tsx';
import { useArchiveTask } from '../changes/mutations.ts';
import { ProjectLink } from '../../projects/of-project.tsx';
import { Proposal } from './proposal.tsx';
import { Run } from '../changes/run.tsx';
import { Source } from './source.tsx';
import { Subtasks } from './subtasks.tsx';
import { TaskFields } from './task-fields.tsx';

const Description = lazyPart(() => import('./session-parts.ts'), 'Description');

interface TaskDetailsProps {
  task: Task;
  project: Project;
  canWrite: boolean;
}

/** What the task says, and every field of it. */
export function TaskDetails({ task, project, canWrite }: TaskDetailsProps) {
  const { data: parent } = useTaskById(task.projectId, task.parentTaskId);
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-5 p-4 sm:p-6">
      <div className="flex items-center justify-between gap-2">
        <p className="flex min-w-0 flex-wrap items-center gap-2 text-note text-muted">
          <ProjectLink project={project} /> / #{task.number}
          {parent && (
            <Link
              to="/p/$slug/t/$number"
              params={{ slug: project.slug, number: String(parent.number) }}
              className="inline-flex min-h-6 items-center underline wrap-anywhere"
            >
              Subtask of #{parent.number} {parent.title}
            </Link>
          )}
        </p>
        {!project.archivedAt && <TaskMenu task={task} />}
      </div>
      {task.archivedAt && (
        <p role="status" className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          This task is archived. Restore it to change it.
        </p>
      )}
      {task.status === 'PROPOSED' && canWrite && <Proposal task={task} />}
      <EditInPlace field="title" {...{ task, canWrite }}>
        <h1 dir="auto" className="text-xl font-semibold wrap-anywhere">
          {task.title}
        </h1>
      </EditInPlace>
      <EditInPlace field="description" {...{ task, canWrite }}>
        {task.description ? (
          <Suspense fallback={<p className="whitespace-pre-wrap">{task.description}</p>}>
            <Description text={task.description} slug={project.slug} />
          </Suspense>
        ) : (
          <p className="text-sm text-muted">No description</p>
        )}
      </EditInPlace>
      {task.sourceMessageId && <Source slug={project.slug} messageId={task.sourceMessageId} />}
      <TaskFields task={task} canWrite={canWrite} />
      <Run task={task} canWrite={canWrite} />
      {!task.parentTaskId && <Subtasks slug={project.slug} {...{ task, canWrite }} />}
      <Activity task={task} />
    </div>
  );
}

function TaskMenu({ task }: { task: Task }) {
  const { archive, restore } = useArchiveTask(task);
  return (
    <Menu trigger={<IconButton label="Task actions" icon={Ellipsis} iconClass="size-5" />}>
      {task.archivedAt ? (
        <MenuItem icon={ArchiveRestore} onSelect={() => restore.mutate()}>
          Restore task
        </MenuItem>
      ) : (
        <MenuItem icon={Archive} onSelect={() => archive.mutate()}>
          Archive task
        </MenuItem>
      )}
    </Menu>
  );
}
