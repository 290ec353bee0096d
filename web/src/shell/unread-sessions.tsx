import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CheckCheck } from 'lucide-react';
import { keys } from '../data/query-keys.ts';
import { useWorkspace } from '../data/workspace.tsx';
import { IconButton } from '../ui/controls/button.tsx';
import { toastError } from '../ui/layers/toast.tsx';
import { useDraftedSessions } from '../data/device/drafts.ts';
import { recency, type ProjectSessions } from '../data/all-sessions.ts';
import { Leaf } from './project-tree.tsx';

const SHOWN = 8;

/** What is unread in any project, above everything else. */
export function UnreadSessions({ projects }: { projects: ProjectSessions[] | undefined }) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const drafted = useDraftedSessions();
  const markAll = useMutation({
    mutationFn: () => client.sessions.markAllRead(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.org(org.id) }),
    onError: toastError,
  });
  const unread = (projects ?? [])
    .flatMap(({ project, sessions }) =>
      (sessions ?? []).map((session) => ({ slug: project.slug, session })),
    )
    .filter(({ session }) => session.unreadCount > 0)
    .toSorted((a, b) => recency(b.session).localeCompare(recency(a.session)));
  if (unread.length === 0) return null;
  return (
    <section aria-label="Unread" className="flex flex-col gap-1">
      <div className="flex items-center justify-between pl-2">
        <h2 className="text-xs font-semibold text-muted">Unread</h2>
        <IconButton
          label="Mark all as read"
          className="size-7! sm:size-7"
          icon={CheckCheck}
          onClick={() => markAll.mutate()}
        />
      </div>
      <ul className="flex flex-col">
        {unread.slice(0, SHOWN).map(({ slug, session }) => (
          <Leaf key={session.id} slug={slug} session={session} hasDraft={drafted.has(session.id)} />
        ))}
      </ul>
    </section>
  );
}
