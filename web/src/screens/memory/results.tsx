import type { Memory } from '@atrium/sdk';
import { Brain, SearchX } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { SkeletonList } from '../../ui/skeleton.tsx';
import { findMarks } from './find-marks.ts';
import { MemoryCard } from './memory-card.tsx';
import type { MemoryResult, useMemories } from './use-memories.ts';

interface ResultsProps {
  memories: ReturnType<typeof useMemories>;
  query: string;
  isFiltered: boolean;
  listRef: RefObject<HTMLUListElement | null>;
  onAdd: () => void;
  onEdit: (memory: Memory) => void;
  onDelete: (memory: Memory) => void;
  onClearFilters: () => void;
  /** Arrow up on the first result. */
  onLeave: () => void;
}

/** Below this score a match is weak. A match by words counts anyway. */
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
      {areWeakShown
        ? 'Hide less likely matches'
        : `Show ${weak} less likely ${weak === 1 ? 'match' : 'matches'}`}
    </Button>
  );
  if (shown.length === 0 && !isStale) return <Nothing {...props} action={weakButton} />;
  return (
    <div className="flex flex-col gap-3">
      {memories.isDegraded && (
        <p role="status" className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          Searched by words only because the embedding model is unavailable. Memories that say it
          differently may be missing.
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
          Show more memories
        </Button>
      )}
      {weakButton}
    </div>
  );
}

/** The server doesn't match half-typed words, so matches in the text count too. */
function isClose({ content, score = 0 }: MemoryResult, query: string): boolean {
  return score >= CLOSE_SCORE || findMarks(content, query).length > 0;
}

function countInWords(count: number, hasMore: boolean): string {
  if (hasMore) return `The ${count} best matches, best first`;
  return count === 1 ? '1 match' : `${count} matches, best first`;
}

/** Arrow keys move between results while one has focus. */
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
        title="No memories yet"
        action={
          <Button look="primary" onClick={onAdd}>
            Add memory
          </Button>
        }
      >
        A memory is a note that people and agents can find by its meaning: a decision, a price, how
        something is done. You can also choose “Remember this” on a message.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<SearchX className="size-8" />}
      title={
        memories.isSearch
          ? `No close matches for “${shorten(query)}”`
          : 'No memories match these filters'
      }
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {isFiltered && <Button onClick={onClearFilters}>Clear all filters</Button>}
          {action}
          <Button look="primary" onClick={onAdd}>
            Add memory
          </Button>
        </div>
      }
    >
      <ul className="list-disc text-start">
        {memories.isSearch && <li>Try fewer or different words. Whole questions work too.</li>}
        {isFiltered && <li>Filters are on. They may hide what you’re looking for.</li>}
        <li>
          Memories that are private to others, or to projects you’re not in, never appear here.
        </li>
      </ul>
    </EmptyState>
  );
}

function shorten(query: string): string {
  return query.length > 60 ? `${query.slice(0, 60)}…` : query;
}
