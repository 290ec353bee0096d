import type { Project, Task } from '@atrium/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../data/parts.ts';
import { Choice } from '../../../ui/controls/choice.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { usePageTitle } from '../../../ui/pages/page.tsx';
import { TaskDetails } from './task-details.tsx';
import { useIsWide } from './use-is-wide.ts';
import { useReadNotifications } from './use-read-notifications.ts';

// The session's code is large, and the task can be read before it is there.
const Discussion = lazyPart(() => import('./session-parts.ts'), 'Discussion');

const route = getRouteApi('/workspace/p/$slug/t/$number');

const PARTS = [
  ['task', 'Task'],
  ['discussion', 'Discussion'],
] as const;

/** The task and its discussion, side by side. On a phone, one of them at a time. */
export function TaskPage({ task, project }: { task: Task; project: Project }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isLinked = search.m !== undefined || search.thread !== undefined;
  const [part, setPart] = useState<'task' | 'discussion'>(isLinked ? 'discussion' : 'task');
  const isWide = useIsWide();
  const canWrite = !task.archivedAt && !project.archivedAt;
  useReadNotifications(task);
  usePageTitle(`#${task.number} ${task.title}`);
  return (
    <div className="absolute inset-0 flex min-h-0 flex-col lg:flex-row">
      <div className="flex flex-col gap-1 border-b border-line p-2 lg:hidden">
        <Choice label="Show" isLabelHidden options={PARTS} value={part} onChange={setPart} />
        {!isWide && part === 'discussion' && (
          <h1 dir="auto" className="truncate px-1 text-sm font-semibold">
            #{task.number} {task.title}
          </h1>
        )}
      </div>
      <div
        className={cx(
          'min-h-0 min-w-0 flex-1 overflow-y-auto lg:block',
          part === 'discussion' && 'hidden',
        )}
      >
        <TaskDetails task={task} project={project} canWrite={canWrite} />
      </div>
      {/* Not mounted while it is hidden, because what is shown counts as read. */}
      {(isWide || part === 'discussion') && (
        <section
          aria-label="Discussion"
          className="relative flex min-h-0 flex-1 flex-col lg:w-[26rem] lg:flex-none lg:border-l lg:border-line xl:w-[32rem]"
        >
          <Suspense>
            <Discussion
              {...{ task, project, canWrite, search }}
              onSearch={(next, replace = false) => void navigate({ search: next, replace })}
            />
          </Suspense>
        </section>
      )}
    </div>
  );
}
