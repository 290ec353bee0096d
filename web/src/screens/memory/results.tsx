import type { Memory } from '@atrium/sdk';
import { Brain, SearchX } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { SkeletonList } from '../../ui/skeleton.tsx';
import { findMarks } from './find-marks.ts';
import { MemoryCard } from './memory-card.tsx';
import type { Found, useMemories } from './use-memories.ts';

interface ResultsProps {
  memories: ReturnType<typeof useMemories>;
  query: string;
  isFiltered: boolean;
  listRef: RefObject<HTMLUListElement | null>;
  onAdd: () => void;
  onEdit: (memory: Memory) => void;
  onDelete: (memory: Memory) => void;
  onClearFilters: () => void;
  /** Up from the first result. */
  onLeave: () => void;
}

/** Below it a search found only what it had to find: something. The words themselves count all the same. */
const CLOSE_SCORE = 0.3;

export function Results(props: ResultsProps) {
  const { memories, query, listRef, onEdit, onDelete, onLeave } = props;
  const { items, error, isPending, isStale, isSearch, hasMore, isLoadingMore, loadMore } = memories;
  const [areWeakShown, setWeakShown] = useState(false);
  if (error) return <ErrorNote error={error} onRetry={memories.retry} />;
  if (isPending) return <SkeletonList rows={5} label="Loading memories…" />;
  const close = isSearch ? items.filter((memory) => isClose(memory, query)) : items;
  const weak = items.length - close.length;
  const shown = areWeakShown ? items : close;
  const weakButton = weak > 0 && (
    <Button
      className="self-center"
      aria-expanded={areWeakShown}
      onClick={() => setWeakShown(!areWeakShown)}
    >
      {areWeakShown ? 'Hide what is less likely' : `Show ${weak} less likely`}
    </Button>
  );
  if (shown.length === 0 && !isStale) return <Nothing {...props} action={weakButton} />;
  return (
    <div className="flex flex-col gap-3">
      {memories.isDegraded && (
        <p role="status" className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          Only words were compared: the embedding model is out of reach. Memories that say it in
          other words may be missing.
        </p>
      )}
      <p role="status" className="text-note text-muted">
        {isSearch ? countInWords(shown.length, hasMore && weak === 0) : 'Newest first'}
      </p>
      <ul
        ref={listRef}
        aria-busy={isStale}
        className="flex flex-col gap-3"
        onKeyDown={(event) => moveByArrow(event, onLeave)}
      >
        {shown.map((memory) => (
          <MemoryCard
            key={memory.id}
            memory={memory}
            query={isSearch ? query : ''}
            onEdit={() => onEdit(memory)}
            onDelete={() => onDelete(memory)}
          />
        ))}
      </ul>
      {hasMore && (weak === 0 || areWeakShown) && (
        <Button className="self-center" isBusy={isLoadingMore} onClick={loadMore}>
          Show more
        </Button>
      )}
      {weakButton}
    </div>
  );
}

/** A word that is half typed is no word to the server, and yet stands there. */
function isClose({ content, score = 0 }: Found, query: string): boolean {
  return score >= CLOSE_SCORE || findMarks(content, query).length > 0;
}

function countInWords(count: number, hasMore: boolean): string {
  if (hasMore) return `The ${count} best matches, best first`;
  return count === 1 ? '1 match' : `${count} matches, best first`;
}

/** Up and down between the results, where the focus is on one. */
function moveByArrow(event: KeyboardEvent<HTMLUListElement>, onLeave: () => void): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const links = Array.from(event.currentTarget.querySelectorAll<HTMLElement>('[data-result]'));
  const at = links.indexOf(event.target as HTMLElement);
  if (at === -1) return;
  event.preventDefault();
  if (event.key === 'ArrowDown') links[at + 1]?.focus();
  else if (at === 0) onLeave();
  else links[at - 1]?.focus();
}

function Nothing(props: ResultsProps & { action: ReactNode }) {
  const { memories, query, isFiltered, onAdd, onClearFilters, action } = props;
  if (!memories.isSearch && !isFiltered) {
    return (
      <EmptyState
        icon={<Brain className="size-8" />}
        title="Nothing is remembered yet"
        action={
          <Button look="primary" onClick={onAdd}>
            Add the first memory
          </Button>
        }
      >
        A memory is a note that people and agents find by what it means: a decision, a price, how
        something is done. You can also choose “Remember this” on a message.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<SearchX className="size-8" />}
      title={
        memories.isSearch
          ? `Nothing close to “${shorten(query)}” was found`
          : 'Nothing matches these filters'
      }
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {isFiltered && <Button onClick={onClearFilters}>Remove all filters</Button>}
          {action}
          <Button look="primary" onClick={onAdd}>
            Add a memory
          </Button>
        </div>
      }
    >
      <ul className="list-disc text-start">
        {memories.isSearch && <li>Try fewer or other words; whole questions work too.</li>}
        {isFiltered && <li>Filters are on: what you look for may be hidden by them.</li>}
        <li>What is private to others, or to Projects you are not in, never shows here.</li>
      </ul>
    </EmptyState>
  );
}

function shorten(query: string): string {
  return query.length > 60 ? `${query.slice(0, 60)}…` : query;
}
