import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CheckCheck } from 'lucide-react';
import { keys } from '../data/query-keys.ts';
import { useWorkspace } from '../data/workspace.tsx';
import { toastError } from '../ui/layers/toast.tsx';
import { useDraftedSessions } from '../data/device/drafts.ts';
import { listSessions, type ProjectSessions } from '../data/all-sessions.ts';
import { isLoud } from '../data/following.ts';
import { Leaf } from './project-tree.tsx';
import { SectionHead } from './section-head.tsx';

const SHOWN = 8;

/** What is unread in any project. */
export function findUnread(projects: ProjectSessions[] | undefined) {
  return listSessions(projects)
    .filter(({ session }) => session.unreadCount > 0 && isLoud(session))
    .slice(0, SHOWN);
}

/** Above everything else. */
export function UnreadSessions({ unread }: { unread: ReturnType<typeof findUnread> }) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const drafted = useDraftedSessions();
  const markAll = useMutation({
    mutationFn: () => client.sessions.markAllRead(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.org(org.id) }),
    onError: toastError,
  });
  if (unread.length === 0) return null;
  return (
    <section aria-label="Unread" className="flex flex-col gap-1">
      <SectionHead
        title="Unread"
        label="Mark all as read"
        icon={CheckCheck}
        onClick={() => markAll.mutate()}
      />
      <ul className="flex flex-col">
        {unread.map(({ project: { slug }, session }) => (
          <Leaf key={session.id} {...{ slug, session }} hasDraft={drafted.has(session.id)} />
        ))}
      </ul>
    </section>
  );
}
