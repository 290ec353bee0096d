import type { Project, Task } from '@atrium/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState, useSyncExternalStore } from 'react';
import { usePickerKeys } from '../../../ui/pickers/use-picker-keys.ts';
import { cx } from '../../../ui/text/cx.ts';
import { usePageTitle } from '../../../ui/pages/page.tsx';
import { FirstComment } from './first-comment.tsx';
import { Properties, PROPERTY_KEYS } from './properties.tsx';
import { Stream } from './stream.tsx';
import { TaskBar } from './task-bar.tsx';
import { TaskDetails } from './task-details.tsx';
import { useReadNotifications } from './use-read-notifications.ts';

const route = getRouteApi('/workspace/p/$slug/t/$number');

/** Tailwind's `lg`: there is room for a column of properties. */
const WIDE = matchMedia('(min-width: 64rem)');

/** What the task says, then what happened and was said about it, in one column. Its properties are beside it. */
export function TaskPage({ task, project }: { task: Task; project: Project }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isWide = useIsWide();
  const scroller = useRef<HTMLDivElement>(null);
  const [foot, setFoot] = useState<HTMLElement | null>(null);
  const [writing, setWriting] = useState<'first' | 'composer'>();
  const canWrite = !task.archivedAt && !project.archivedAt;
  const { bind } = usePickerKeys(PROPERTY_KEYS, canWrite);
  useReadNotifications(task);
  usePageTitle(`#${task.number} ${task.title}`);
  const properties = <Properties {...{ task, project, canWrite, bind }} isColumn={isWide} />;
  return (
    <div className="absolute inset-0 flex min-h-0">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <TaskBar task={task} project={project} />
        <div
          ref={scroller}
          className={cx(
            'min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain [overflow-anchor:none]',
            search.thread && 'max-lg:invisible',
          )}
        >
          <div className="mx-auto w-full max-w-4xl">
            <TaskDetails {...{ task, project, canWrite }}>{!isWide && properties}</TaskDetails>
            <Stream
              {...{ task, project, search, scroller, foot }}
              takesFocus={writing !== undefined}
              onSearch={(next, replace = false) => void navigate({ search: next, replace })}
            />
          </div>
        </div>
        <div
          ref={setFoot}
          data-task-foot
          className={cx(
            'relative mx-auto w-full max-w-4xl shrink-0 sm:px-2',
            // Room for the composer, so that nothing jumps when it comes.
            canWrite && task.sessionId && 'min-h-[6.1rem] sm:min-h-[7.1rem]',
            // The composer has come, and takes over.
            '[&:has(form)>[data-first]]:hidden',
            search.thread && 'max-lg:invisible',
          )}
        >
          {canWrite && (!task.sessionId || writing === 'first') && (
            <FirstComment
              task={task}
              slug={project.slug}
              onBegin={() => setWriting('first')}
              onEnd={() => setWriting('composer')}
            />
          )}
        </div>
      </div>
      {isWide && (
        <aside
          aria-label="Properties"
          className="w-72 shrink-0 overflow-y-auto border-l border-line bg-surface p-4"
        >
          {properties}
        </aside>
      )}
    </div>
  );
}

function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      WIDE.addEventListener('change', listener);
      return () => WIDE.removeEventListener('change', listener);
    },
    () => WIDE.matches,
  );
}
