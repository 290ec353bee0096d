import type { Memory } from '@atrium/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { MemorySearch } from './search-params.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { PageHeader } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAudience } from './audience.tsx';
import { changeSearch, type SearchChanges } from './search-params.ts';
import { draftOf, EMPTY_DRAFT } from './draft.ts';
import { Filters, NO_FILTERS } from './filters.tsx';
import { MemoryDialog } from './memory-dialog.tsx';
import { MemoryView } from './memory-view.tsx';
import { useDeleteMemory } from './mutations.ts';
import { Results } from './results.tsx';
import { SearchBox } from './search-box.tsx';
import { useMemories } from './use-memories.ts';

const route = getRouteApi('/workspace/memory');

type Doing = { what: 'add' } | { what: 'edit' | 'delete'; memory: Memory };

/** Everything remembered that the person may see. The address holds the search, the filters and what is open. */
export function MemoryScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const memories = useMemories(search);
  const [doing, setDoing] = useState<Doing>();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const query = search.q ?? '';

  const change = useCallback(
    (changes: SearchChanges, replace = false) =>
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
          <Button look="primary" onClick={() => setDoing({ what: 'add' })}>
            <Plus aria-hidden className="size-4" />
            Add memory
          </Button>
        }
      >
        What you, your team and your agents should not forget, found by what it means.
      </PageHeader>
      <SearchBox
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
        onAdd={() => setDoing({ what: 'add' })}
        onEdit={(memory) => setDoing({ what: 'edit', memory })}
        onDelete={(memory) => setDoing({ what: 'delete', memory })}
        onClearFilters={() => change(NO_FILTERS)}
        onLeave={() => input.current?.focus()}
      />
      {search.id && !doing && (
        <MemoryView
          key={search.id}
          memoryId={search.id}
          search={search}
          onClose={close}
          onEdit={(memory) => setDoing({ what: 'edit', memory })}
          onDelete={(memory) => setDoing({ what: 'delete', memory })}
        />
      )}
      {doing && (
        <Doings
          doing={doing}
          search={search}
          onDeleted={close}
          onClose={() => setDoing(undefined)}
        />
      )}
    </div>
  );
}

interface DoingsProps {
  doing: Doing;
  search: MemorySearch;
  onDeleted: () => void;
  onClose: () => void;
}

function Doings({ doing, search, onDeleted, onClose }: DoingsProps) {
  const { whoSees } = useAudience();
  const remove = useDeleteMemory();
  if (doing.what === 'add') {
    const projectId = search.project ?? '';
    const visibility = projectId ? 'PROJECT' : EMPTY_DRAFT.visibility;
    const draft = { ...EMPTY_DRAFT, projectId, visibility };
    return <MemoryDialog title="Add a memory" draft={draft} onClose={onClose} />;
  }
  const { memory } = doing;
  if (doing.what === 'edit') {
    return (
      <MemoryDialog title="Edit memory" draft={draftOf(memory)} memory={memory} onClose={onClose} />
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
          <p>Who can see it now: {whoSees(memory)}. It will be gone for good, also for agents.</p>
        </div>
      }
      action="Delete memory"
      onConfirm={async () => {
        await remove.mutateAsync(memory.id);
        toast('The memory is deleted.');
        if (search.id === memory.id) onDeleted();
      }}
      onClose={onClose}
    />
  );
}
