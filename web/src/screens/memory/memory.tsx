import type { Project } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import { keys } from '../../data/query-keys.ts';
import { changeSearch, type SearchChanges } from '../../data/search-params.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { PageHeader } from '../../ui/pages/page.tsx';
import { SearchBox } from '../../ui/forms/search-box.tsx';
import { toast } from '../../ui/layers/toast.tsx';
import { OfProject } from '../projects/of-project.tsx';
import { ProjectHeader } from '../projects/project-header.tsx';
import { useAudience } from './audience.tsx';
import { valuesOf, EMPTY_VALUES } from './memory-values.ts';
import { Filters, NO_FILTERS } from './filters.tsx';
import { MemoryDialog } from './memory-dialog.tsx';
import type { OpenDialog } from './memory-menu.tsx';
import { MemoryView } from './memory-view.tsx';
import { Results } from './results.tsx';
import type { MemorySearch } from './search-params.ts';
import { useMemories } from './use-memories.ts';
import { PAGE } from '../../ui/pages/page-edge.ts';

const everywhere = getRouteApi('/workspace/memory');
const inProject = getRouteApi('/workspace/p/$slug/memory');

/** All memories that the person may see. The address holds the search, the filters and the open memory. */
export function MemoryScreen() {
  const search = everywhere.useSearch();
  const navigate = everywhere.useNavigate();
  const change = useCallback<Change>(
    (changes, replace = false) =>
      void navigate({ search: (before) => changeSearch(before, changes), replace }),
    [navigate],
  );
  return (
    <MemoryPage
      search={search}
      change={change}
      header={(actions) => (
        <PageHeader title="Memory" actions={actions}>
          What you, your team and your agents should remember. Search it by meaning.
        </PageHeader>
      )}
    />
  );
}

/** Those of one project, as one of its tabs. */
export function ProjectMemoryScreen() {
  return <OfProject>{(project) => <ProjectMemory key={project.id} project={project} />}</OfProject>;
}

function ProjectMemory({ project }: { project: Project }) {
  const search = inProject.useSearch();
  const navigate = inProject.useNavigate();
  const change = useCallback<Change>(
    (changes, replace = false) =>
      void navigate({ search: (before) => changeSearch(before, changes), replace }),
    [navigate],
  );
  return (
    <MemoryPage
      search={search}
      change={change}
      project={project}
      header={(actions) => <ProjectHeader project={project} page="Memory" actions={actions} />}
    />
  );
}

type Change = (changes: SearchChanges<MemorySearch>, replace?: boolean) => void;

interface MemoryPageProps {
  /** As in the address. */
  search: MemorySearch;
  change: Change;
  /** Only its memories. */
  project?: Project;
  header: (actions: ReactNode) => ReactNode;
}

function MemoryPage({ search: written, change, project, header }: MemoryPageProps) {
  const projectId = project?.id;
  const search = useMemo(
    () => (projectId === undefined ? written : { ...written, project: projectId }),
    [written, projectId],
  );
  const memories = useMemories(search);
  const [dialog, setDialog] = useState<OpenDialog>();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const query = search.q ?? '';
  const knownTags = useMemo(
    () => [...new Set(memories.items.flatMap(({ tags }) => tags))].toSorted(),
    [memories.items],
  );
  const isFiltered = Object.keys(NO_FILTERS).some((name) => name in written);
  const close = () => change({ id: undefined });

  return (
    <div className={PAGE}>
      {header(
        <Button look="primary" onClick={() => setDialog({ what: 'add' })} icon={Plus}>
          Add memory
        </Button>,
      )}
      <SearchBox
        label="Search memory"
        placeholder="Search in your own words"
        inputRef={input}
        query={query}
        isBusy={memories.isStale}
        onSearch={(q) => change({ q }, true)}
        onArrowDown={() => list.current?.querySelector<HTMLElement>('[data-result]')?.focus()}
      />
      <Filters
        search={written}
        isInProject={project !== undefined}
        knownTags={knownTags}
        onChange={change}
      />
      <Results
        memories={memories}
        search={search}
        query={query}
        isFiltered={isFiltered}
        listRef={list}
        onOpen={setDialog}
        onClearFilters={() => change(NO_FILTERS)}
        onLeave={() => input.current?.focus()}
      />
      {search.id && !dialog && (
        <MemoryView
          key={search.id}
          memoryId={search.id}
          search={search}
          onClose={close}
          onOpen={setDialog}
        />
      )}
      {dialog && (
        <Dialogs
          dialog={dialog}
          search={search}
          onDeleted={close}
          onClose={() => setDialog(undefined)}
        />
      )}
    </div>
  );
}

interface DialogsProps {
  dialog: OpenDialog;
  search: MemorySearch;
  onDeleted: () => void;
  onClose: () => void;
}

function Dialogs({ dialog, search, onDeleted, onClose }: DialogsProps) {
  const { whoSees } = useAudience();
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  if (dialog.what === 'add') {
    const projectId = search.project ?? '';
    const visibility = projectId ? 'PROJECT' : EMPTY_VALUES.visibility;
    const values = { ...EMPTY_VALUES, projectId, visibility };
    return <MemoryDialog title="Add memory" values={values} onClose={onClose} />;
  }
  const { memory } = dialog;
  if (dialog.what === 'edit') {
    return (
      <MemoryDialog
        title="Edit memory"
        values={valuesOf(memory)}
        memory={memory}
        onClose={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      title="Delete this memory?"
      description={
        <div className="flex flex-col gap-2">
          <p dir="auto" className="line-clamp-4 rounded-md bg-hover p-2 text-ink">
            {memory.content}
          </p>
          <p>Visible to: {whoSees(memory)}. It will be deleted for everyone, including agents.</p>
        </div>
      }
      action="Delete memory"
      onConfirm={async () => {
        await client.memory.delete(memory.id);
        queryClient.removeQueries({ queryKey: keys.memoryRecord(org.id, memory.id) });
        await queryClient.invalidateQueries({ queryKey: keys.memory(org.id) });
        toast('Memory deleted');
        if (search.id === memory.id) onDeleted();
      }}
      onClose={onClose}
    />
  );
}
