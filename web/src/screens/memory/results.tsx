import { Brain, SearchX } from 'lucide-react';
import type { RefObject } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { MoreButton } from '../../ui/pages/more-button.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { moveByArrow } from '../../ui/keys/move-by-arrow.ts';
import { shorten } from '../../ui/text/sentence.ts';
import { SkeletonList } from '../../ui/states/skeleton.tsx';
import { isClose } from './find-marks.ts';
import { MemoryCard } from './memory-card.tsx';
import type { OpenDialog } from './memory-menu.tsx';
import type { MemorySearch } from './search-params.ts';
import type { useMemories } from './use-memories.ts';

interface ResultsProps {
  memories: ReturnType<typeof useMemories>;
  search: MemorySearch;
  query: string;
  isFiltered: boolean;
  listRef: RefObject<HTMLDivElement | null>;
  onOpen: (dialog: OpenDialog) => void;
  onClearFilters: () => void;
  /** Arrow up on the first result. */
  onLeave: () => void;
}

export function Results(props: ResultsProps) {
  const { memories, search, query, listRef, onOpen, onLeave } = props;
  const { items, error, isPending, isStale, isSearch, hasNextPage } = memories;
  if (error) return <ErrorNote error={error} onRetry={() => void memories.refetch()} />;
  if (isPending) return <SkeletonList rows={5} label="Loading memories…" />;
  if (items.length === 0 && !isStale) return <Nothing {...props} />;
  const close = isSearch ? items.filter((memory) => isClose(memory, query)) : items;
  const weak = items.filter((memory) => !close.includes(memory));
  const cards = (some: typeof items) =>
    some.map((memory) => (
      <MemoryCard key={memory.id} {...{ memory, search, onOpen }} query={isSearch ? query : ''} />
    ));
  return (
    <div className="flex flex-col gap-3">
      {memories.isDegraded && (
        <p role="status" className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          Searched by words only because the embedding model is unavailable. Memories that say it
          differently may be missing.
        </p>
      )}
      <p role="status" className="text-note text-muted">
        {isSearch ? countInWords(close.length, hasNextPage && weak.length === 0) : 'Newest first'}
      </p>
      <div
        ref={listRef}
        aria-busy={isStale}
        className="flex flex-col gap-3"
        onKeyDown={(event) => moveByArrow(event, onLeave)}
      >
        {close.length > 0 && <ul className="flex flex-col gap-3">{cards(close)}</ul>}
        {weak.length > 0 && (
          <>
            <h2 id="less-likely" className="border-t border-edge pt-3 text-note text-muted">
              Less likely matches
            </h2>
            <ul aria-labelledby="less-likely" className="flex flex-col gap-3">
              {cards(weak)}
            </ul>
          </>
        )}
      </div>
      <MoreButton of={memories}>Show more memories</MoreButton>
    </div>
  );
}

function countInWords(count: number, hasMore: boolean): string {
  if (count === 0) return 'No close matches';
  if (hasMore) return `The ${count} best matches, best first`;
  return count === 1 ? '1 match' : `${count} matches, best first`;
}

function Nothing(props: ResultsProps) {
  const { memories, query, isFiltered, onOpen, onClearFilters } = props;
  const add = (
    <Button look="primary" onClick={() => onOpen({ what: 'add' })}>
      Add memory
    </Button>
  );
  if (!memories.isSearch && !isFiltered) {
    return (
      <EmptyState icon={Brain} title="No memories yet" action={add}>
        A memory is a note that people and agents can find by its meaning: a decision, a price, how
        something is done. You can also choose “Remember this” on a message.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={SearchX}
      title={
        memories.isSearch ? `No matches for “${shorten(query)}”` : 'No memories match these filters'
      }
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {isFiltered && <Button onClick={onClearFilters}>Clear all filters</Button>}
          {add}
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
