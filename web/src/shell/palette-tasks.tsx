import type { ListAllTasksParams } from '@atrium/sdk';
import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useProjects } from '../data/queries.ts';
import { keys } from '../data/query-keys.ts';
import { useFetched } from '../data/use-fetched.ts';
import { Marked } from '../ui/marks/passage.tsx';
import { findMarks } from '../screens/memory/find-marks.ts';
import { toQuery } from '../screens/tasks/list/list-params.ts';
import { StatusIcon } from '../screens/tasks/status-icon.tsx';
import type { PaletteEntry } from './palette-groups.ts';

interface TaskQuery {
  query: string;
  enabled: boolean;
  limit: number;
}

/** Tasks of all projects with these words, those that changed last first. `#12` finds them by number. */
export function useFoundTasks({ query, enabled, limit }: TaskQuery): {
  entries: PaletteEntry[];
  isFetching: boolean;
} {
  const { data: projects } = useProjects();
  const navigate = useNavigate();
  const { data, isFetching } = useFetched(
    (orgId) => [...keys.myTasks(orgId), 'palette', query],
    ({ client }, options) =>
      client.tasks.listAll({ ...toParams(query), sort: 'updatedAt', limit }, options),
    { enabled, placeholderData: keepPreviousData },
  );
  const entries = ((enabled && data?.items) || []).flatMap((task): PaletteEntry[] => {
    const project = projects?.find(({ id }) => id === task.projectId);
    if (!project) return [];
    const { number, title } = task;
    const params = { slug: project.slug, number: String(number) };
    return [
      {
        id: `task-${task.id}`,
        label: title,
        content: <Marked text={title} marks={findMarks(title, query)} />,
        group: 'Tasks',
        kind: `#${number} in ${project.name}`,
        icon: <StatusIcon status={task.status} />,
        run: () => void navigate({ to: '/p/$slug/t/$number', params }),
      },
    ];
  });
  return { entries, isFetching };
}

function toParams(query: string): ListAllTasksParams {
  const number = /^#([1-9]\d{0,8})$/.exec(query)?.[1];
  return number ? { number: Number(number) } : { query: toQuery(query) };
}
