import type { File as StoredFile, Project } from '@atrium/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FolderOpen, Upload as UploadIcon } from 'lucide-react';
import { useRef } from 'react';
import { places } from '../../data/uploads/upload.ts';
import { addUploads, useUploadsAt } from '../../data/uploads/uploads.ts';
import { useOwner } from '../../data/workspace.tsx';
import { chooseFiles } from '../../shared/files/choose-files.ts';
import { UploadItem } from '../../shared/files/upload-item.tsx';
import { useDrop } from '../../shared/files/use-drop.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SearchBox } from '../../ui/forms/search-box.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';
import { useListFocus } from '../../ui/keys/use-list-focus.ts';
import { MoreButton } from '../../ui/pages/more-button.tsx';
import { PAGE } from '../../ui/pages/page-edge.ts';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Loading } from '../../ui/states/loading.tsx';
import { OfProject } from '../projects/of-project.tsx';
import { ProjectHeader } from '../projects/project-header.tsx';
import { FileRow } from './file-row.tsx';
import { TYPES } from './search-params.ts';
import { useProjectFiles } from './use-project-files.ts';

export function FilesScreen() {
  return <OfProject>{(project) => <FilesPage key={project.id} project={project} />}</OfProject>;
}

/** Everything in the Project that the person may read: in messages, on tasks, and shared here. */
function FilesPage({ project }: { project: Project }) {
  const owner = useOwner();
  const search = useSearch({ from: '/workspace/p/$slug/files' });
  const navigate = useNavigate({ from: '/p/$slug/files' });
  const files = useProjectFiles(project.id, search);
  const place = places.project(project.id);
  const uploads = useUploadsAt(place);
  const canWrite = !project.archivedAt;
  const add = (chosen: File[]) => addUploads(owner, { place, projectId: project.id }, chosen);
  const { isOver, target } = useDrop(add, canWrite);
  const input = useRef<HTMLInputElement>(null);
  const { list, focusList } = useListFocus();
  const isFiltered = search.q !== undefined || search.type !== undefined;
  const change = (changes: typeof search) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  const upload = canWrite && (
    <Button
      look="primary"
      icon={UploadIcon}
      onClick={() => void chooseFiles().then((chosen) => add(chosen))}
    >
      Upload files
    </Button>
  );
  const isEmpty = files.data?.length === 0;
  return (
    <div className={PAGE} {...target}>
      <ProjectHeader
        project={project}
        page="Files"
        actions={!isEmpty || isFiltered ? upload : null}
      >
        <p>Files in messages and tasks that you can see, and files shared here.</p>
      </ProjectHeader>
      {isOver && (
        <p className="rounded-lg border-2 border-dashed border-accent bg-accent-soft p-4 text-center text-sm font-medium text-accent">
          Drop the files to share them with the project
        </p>
      )}
      {uploads.length > 0 && (
        <ul aria-label="Uploads" className="grid gap-1.5 sm:grid-cols-2">
          {uploads.map((one) => (
            <UploadItem key={one.id} upload={one} />
          ))}
        </ul>
      )}
      {(!isEmpty || isFiltered) && (
        <div className="grid items-center gap-3 sm:grid-cols-[1fr_12rem]">
          <SearchBox
            label="Find files by name"
            placeholder="Find files by name"
            query={search.q ?? ''}
            isBusy={files.isFetching && isFiltered}
            inputRef={input}
            isSmall
            onSearch={(q) => change({ q })}
            onArrowDown={focusList}
          />
          <SelectField
            label="Type"
            isLabelHidden
            value={search.type ?? ''}
            empty="Every type"
            options={TYPES}
            onChange={(type) => change({ type: TYPES.find(({ value }) => value === type)?.value })}
          />
        </div>
      )}
      <Loading of={files} rows={4} label="Loading files…" />
      {isEmpty && !isFiltered && uploads.length === 0 && (
        <EmptyState icon={FolderOpen} title="No files yet" action={upload}>
          Upload what everyone in the project should find, such as a contract or a plan. Files from
          messages and tasks are listed here too.
        </EmptyState>
      )}
      {isEmpty && isFiltered && (
        <EmptyState
          icon={FolderOpen}
          title="No files found"
          action={
            <Button onClick={() => change({ q: undefined, type: undefined })}>
              Show all files
            </Button>
          }
        >
          Try part of the name, or another type.
        </EmptyState>
      )}
      <div ref={list} tabIndex={-1} className="flex flex-col gap-4 outline-none">
        {files.data && files.data.length > 0 && (
          <FileTable files={files.data} canWrite={canWrite} onGone={focusList} />
        )}
        <MoreButton of={files}>Show more files</MoreButton>
      </div>
    </div>
  );
}

interface FileTableProps {
  files: readonly StoredFile[];
  canWrite: boolean;
  /** A row has disappeared, and focus with it. */
  onGone: () => void;
}

function FileTable({ files, ...rest }: FileTableProps) {
  const among = files.map(({ id }) => ({ fileId: id }));
  return (
    <ul
      aria-label="Files"
      className="flex flex-col divide-y divide-line rounded-xl border border-line bg-surface"
    >
      {files.map((file) => (
        <FileRow key={file.id} file={file} among={among} {...rest} />
      ))}
    </ul>
  );
}
