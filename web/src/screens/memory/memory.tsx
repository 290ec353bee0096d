import type { Memory } from '@atrium/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { changeSearch, type SearchChanges } from '../../data/search-params.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { PageHeader } from '../../ui/pages/page.tsx';
import { SearchBox } from '../../ui/forms/search-box.tsx';
import { toast } from '../../ui/layers/toast.tsx';
import { useAudience } from './audience.tsx';
import { valuesOf, EMPTY_VALUES } from './memory-values.ts';
import { Filters, NO_FILTERS } from './filters.tsx';
import { MemoryDialog } from './memory-dialog.tsx';
import { MemoryView } from './memory-view.tsx';
import { useDeleteMemory } from './mutations.ts';
import { Results } from './results.tsx';
import type { MemorySearch } from './search-params.ts';
import { useMemories } from './use-memories.ts';

const route = getRouteApi('/workspace/memory');

type OpenDialog = { what: 'add' } | { what: 'edit' | 'delete'; memory: Memory };

/** All memories that the person may see. The address holds the search, the filters and the open memory. */
export function MemoryScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const memories = useMemories(search);
  const [dialog, setDialog] = useState<OpenDialog>();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const query = search.q ?? '';

  const change = useCallback(
    (changes: SearchChanges<MemorySearch>, replace = false) =>
      void navigate({ search: (before) => changeSearch(before, changes), replace }),
    [navigate],
  );
  const knownTags = useMemo(
    () => [...new Set(memories.items.flatMap(({ tags }) => tags))].toSorted(),
    [memories.items],
  );
  const isFiltered = Object.keys(NO_FILTERS).some((name) => name in search);
  const close = () => change({ id: undefined });

  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-4 px-4 py-6 sm:px-6">
      <PageHeader
        title="Memory"
        actions={
          <Button look="primary" onClick={() => setDialog({ what: 'add' })} icon={Plus}>
            Add memory
          </Button>
        }
      >
        What you, your team and your agents should remember. Search it by meaning.
      </PageHeader>
      <SearchBox
        label="Search memory"
        placeholder="Search in your own words"
        inputRef={input}
        query={query}
        isBusy={memories.isStale}
        onSearch={(q) => change({ q }, true)}
        onArrowDown={() => list.current?.querySelector<HTMLElement>('[data-result]')?.focus()}
      />
      <Filters search={search} knownTags={knownTags} onChange={change} />
      <Results
        memories={memories}
        query={query}
        isFiltered={isFiltered}
        listRef={list}
        onAdd={() => setDialog({ what: 'add' })}
        onEdit={(memory) => setDialog({ what: 'edit', memory })}
        onDelete={(memory) => setDialog({ what: 'delete', memory })}
        onClearFilters={() => change(NO_FILTERS)}
        onLeave={() => input.current?.focus()}
      />
      {search.id && !dialog && (
        <MemoryView
          key={search.id}
          memoryId={search.id}
          search={search}
          onClose={close}
          onEdit={(memory) => setDialog({ what: 'edit', memory })}
          onDelete={(memory) => setDialog({ what: 'delete', memory })}
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
  const remove = useDeleteMemory();
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
        await remove.mutateAsync(memory.id);
        toast('Memory deleted');
        if (search.id === memory.id) onDeleted();
      }}
      onClose={onClose}
    />
  );
}
