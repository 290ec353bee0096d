import type { Project, Task } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MessagesSquare } from 'lucide-react';
import { refetchTasks } from '../../../data/refetch-tasks.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { ListSkeleton } from '../../session/list/list-ends.tsx';
import { OpenSession } from '../../session/open-session.tsx';
import { useOpenedSession } from '../../session/queries.ts';
import type { SessionSearch } from '../../session/search-params.ts';

interface DiscussionProps {
  task: Task;
  project: Project;
  canWrite: boolean;
  search: SessionSearch;
  onSearch: (search: SessionSearch, replace?: boolean) => void;
}

/** The task's session, or the offer to begin it. */
export function Discussion(props: DiscussionProps) {
  const { task, canWrite } = props;
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const begin = useMutation({
    mutationFn: async () => client.tasks.openSession(task.projectId, task.id),
    onSuccess: () => void refetchTasks(queryClient, org.id, task.projectId),
  });
  if (task.sessionId) return <Messages {...props} sessionId={task.sessionId} />;
  return (
    <div className="flex flex-col gap-3 p-4">
      <EmptyState
        icon={MessagesSquare}
        title="No discussion yet"
        action={
          canWrite && (
            <Button isBusy={begin.isPending} onClick={() => begin.mutate()}>
              Start discussion
            </Button>
          )
        }
      >
        Talk about this task where the work is. Mention an agent and it answers here.
      </EmptyState>
      {begin.error && <ErrorNote error={begin.error} />}
    </div>
  );
}

function Messages({
  project,
  sessionId,
  search,
  onSearch,
}: DiscussionProps & { sessionId: string }) {
  const { data: session, error, refetch } = useOpenedSession(project.slug, sessionId);
  if (session) {
    return <OpenSession slug={project.slug} {...{ session, search, onSearch }} isBeside />;
  }
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  return <ListSkeleton />;
}
