import type { Project, Task } from '@atrium/sdk';
import { useMemo } from 'react';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { PLAIN, type Showing } from '../../session/content/inline-view.tsx';
import { MarkdownView } from '../../session/content/markdown-view.tsx';
import { WrittenTaskNumber } from '../../session/content/task-number.tsx';
import { OpenSession } from '../../session/open-session.tsx';
import { useOpenedSession } from '../../session/queries.ts';
import type { SessionSearch } from '../../session/search-params.ts';
import type { Around } from '../../session/session-context.ts';

/** What needs the code of sessions. In files that share less of it, it would be loaded with every session. */

interface DescriptionProps {
  text: string;
  projectId: string;
  slug: string;
}

export function Description({ text, projectId, slug }: DescriptionProps) {
  const showing = useMemo<Showing>(
    () => ({
      ...PLAIN,
      showTask: (number) => <WrittenTaskNumber {...{ projectId, slug, number }} />,
    }),
    [projectId, slug],
  );
  return <MarkdownView source={text} showing={showing} />;
}

export interface DiscussionProps {
  task: Task;
  project: Project;
  sessionId: string;
  search: SessionSearch;
  onSearch: (search: SessionSearch, replace?: boolean) => void;
  around: Around;
}

/** The messages of the task's session. */
export function Discussion({ project, sessionId, search, onSearch, around }: DiscussionProps) {
  const { slug } = project;
  const { data: session, error, refetch } = useOpenedSession(slug, sessionId);
  if (session) return <OpenSession {...{ slug, session, search, onSearch, around }} />;
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  return <Skeleton className="m-4 h-5 w-2/3" />;
}
