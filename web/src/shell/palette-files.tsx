import { keepPreviousData } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { readRecentSlug } from '../data/device/recent-places.ts';
import { keys } from '../data/query-keys.ts';
import { useProjects } from '../data/queries.ts';
import { useFetched } from '../data/use-fetched.ts';
import { useOwner } from '../data/workspace.tsx';
import { FileIcon } from '../shared/files/file-icon.tsx';
import { useOpenFile } from '../shared/files/shown-files.ts';
import { Marked } from '../ui/marks/passage.tsx';
import { findMarks } from '../screens/memory/find-marks.ts';
import type { PaletteEntry } from './palette-groups.ts';

interface FileQuery {
  query: string;
  enabled: boolean;
  limit: number;
}

/** Files by their names, in the project that is open, or was open last: the API lists them by project. */
export function useFoundFiles({ query, enabled, limit }: FileQuery): {
  entries: PaletteEntry[];
  isFetching: boolean;
} {
  const owner = useOwner();
  const { data: projects } = useProjects();
  const { slug } = useParams({ strict: false });
  const open = useOpenFile();
  const bySlug = (wanted: string | undefined) => projects?.find((one) => one.slug === wanted);
  const project = bySlug(slug) ?? bySlug(readRecentSlug(owner)) ?? projects?.[0];
  const { data, isFetching } = useFetched(
    (orgId) => [...keys.projectFiles(orgId, project?.id ?? ''), 'palette', query],
    ({ client }, options) => client.files.list(project?.id ?? '', { query, limit }, options),
    { enabled: enabled && project !== undefined, placeholderData: keepPreviousData },
  );
  const entries = ((enabled && data?.items) || []).map((file): PaletteEntry => {
    const { id, name } = file;
    return {
      id: `file-${id}`,
      label: name,
      content: <Marked text={name} marks={findMarks(name, query)} />,
      group: 'Files',
      kind: `File in ${project?.name}`,
      icon: <FileIcon of={file} className="size-4 text-muted" />,
      run: () => open(id),
    };
  });
  return { entries, isFetching };
}
