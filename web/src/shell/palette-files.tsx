import { keepPreviousData } from '@tanstack/react-query';
import { keys } from '../data/query-keys.ts';
import { useProjects } from '../data/queries.ts';
import { useFetched } from '../data/use-fetched.ts';
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

/** Files of all projects and direct conversations by their names, the newest first. */
export function useFoundFiles({ query, enabled, limit }: FileQuery): {
  entries: PaletteEntry[];
  isFetching: boolean;
} {
  const { data: projects } = useProjects();
  const open = useOpenFile();
  const { data, isFetching } = useFetched(
    (orgId) => [...keys.files(orgId), 'palette', query],
    ({ client }, options) => client.files.listAll({ query, limit }, options),
    { enabled, placeholderData: keepPreviousData },
  );
  const found = (enabled && data?.items) || [];
  const entries = found.map((file): PaletteEntry => {
    const { id, name, projectId } = file;
    const project = projects?.find((one) => one.id === projectId);
    return {
      id: `file-${id}`,
      label: name,
      content: <Marked text={name} marks={findMarks(name, query)} />,
      group: 'Files',
      kind: project ? `File in ${project.name}` : 'File',
      icon: <FileIcon of={file} className="size-4 text-muted" />,
      run: () =>
        open(
          id,
          found.map((one) => ({ fileId: one.id })),
        ),
    };
  });
  return { entries, isFetching };
}
