import { Suspense, useMemo } from 'react';
import { lazyPart } from '../../../data/parts.ts';
import { Loading } from '../../../ui/states/loading.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { joinNotes } from '../../session/list/rows.ts';
import type { DiscussionProps } from './session-parts.tsx';
import { useNotes } from './use-notes.tsx';

// The session's code is large, and the task can be read before it is there.
const Discussion = lazyPart(() => import('./session-parts.tsx'), 'Discussion');

type StreamProps = Omit<DiscussionProps, 'around' | 'sessionId'> &
  Pick<DiscussionProps['around'], 'scroller' | 'foot' | 'takesFocus'>;

/** What happened and what was said about a task, in the order of time. */
export function Stream({ scroller, foot, takesFocus, ...props }: StreamProps) {
  const { task } = props;
  const { notes, loadOlderNotes, error, refetch } = useNotes(task);
  const hasOlder = loadOlderNotes !== undefined;
  const around = useMemo(
    () => notes && { scroller, foot, takesFocus, notes, loadOlderNotes },
    // Loading older ones is the same as long as there are some.
    // eslint-disable-next-line react/exhaustive-deps
    [notes, scroller, foot, takesFocus, hasOlder],
  );
  return (
    <section aria-label="Activity" className="pb-3 sm:px-2">
      <h2 className="border-t border-line px-4 pt-4 pb-1 text-sm font-semibold">Activity</h2>
      {!around ? (
        <Loading of={{ data: around, error, refetch }}>
          <Skeleton className="m-4 h-5 w-2/3" />
        </Loading>
      ) : task.sessionId ? (
        <Suspense fallback={<Skeleton className="m-4 h-5 w-2/3" />}>
          <Discussion {...props} around={around} sessionId={task.sessionId} />
        </Suspense>
      ) : (
        joinNotes(around.notes).map(({ id, show }) => <div key={id}>{show}</div>)
      )}
    </section>
  );
}
