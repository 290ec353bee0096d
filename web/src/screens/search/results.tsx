import { MessageSquareText, SearchX } from 'lucide-react';
import type { RefObject } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { moveByArrow } from '../../ui/keys/move-by-arrow.ts';
import { shorten } from '../../ui/text/sentence.ts';
import { SkeletonList } from '../../ui/states/skeleton.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { MatchCard } from './match-card.tsx';
import { Problem } from './problem.tsx';
import { splitQuery } from './operators.ts';
import { isFiltered, type MessageSearch } from './search-params.ts';
import { MOST_MATCHES, type useMessageSearch } from './use-message-search.ts';

interface ResultsProps {
  found: ReturnType<typeof useMessageSearch>;
  search: MessageSearch;
  listRef: RefObject<HTMLUListElement | null>;
  onClearFilters: () => void;
  /** Arrow up on the first result. */
  onLeave: () => void;
}

export function Results({ found, search, listRef, onClearFilters, onLeave }: ResultsProps) {
  const { matches, hasMore, isStale } = found;
  if (!found.isSearch) return <Start isFiltered={isFiltered(search)} />;
  if (found.error) {
    return (
      <Problem
        error={found.error}
        isFiltered={isFiltered(search)}
        onClearFilters={onClearFilters}
        onRetry={found.retry}
      />
    );
  }
  if (found.isPending) return <SkeletonList rows={5} label="Loading messages…" />;
  return (
    <div className="flex flex-col gap-3">
      {found.isIncomplete && (
        <p role="status" className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          Some matches may be missing: there is too much text to search at once, or older messages
          are still being indexed. Add words or a filter, or try again in a few minutes.
        </p>
      )}
      <p role="status" className="text-note text-muted">
        {countInWords(matches.length, hasMore)}
      </p>
      {matches.length === 0 && !isStale && (
        <Nothing search={search} onClearFilters={onClearFilters} />
      )}
      <ul
        ref={listRef}
        aria-label="Messages"
        aria-busy={isStale}
        className="flex flex-col gap-3"
        onKeyDown={(event) => moveByArrow(event, onLeave)}
      >
        {matches.map((match) => (
          <MatchCard key={match.message.id} match={match} />
        ))}
      </ul>
      {hasMore && (
        <Button className="self-center" isBusy={isStale} onClick={found.loadMore}>
          Show more messages
        </Button>
      )}
      {matches.length === MOST_MATCHES && (
        <p className="self-center text-sm text-muted">
          These are the {MOST_MATCHES} best matches. To find others, add words or filters.
        </p>
      )}
    </div>
  );
}

function countInWords(count: number, hasMore: boolean): string {
  if (hasMore || count === MOST_MATCHES) return `The ${count} best matches, best first`;
  if (count === 0) return 'No matches';
  return count === 1 ? '1 match' : `${count} matches, best first`;
}

function Start({ isFiltered: hasFilters }: { isFiltered: boolean }) {
  return (
    <EmptyState
      icon={MessageSquareText}
      title={hasFilters ? 'Now type a word to look for' : 'Find what was said'}
      action={<LinkButton to="/memory">Search memory instead</LinkButton>}
    >
      <ul className="list-disc text-start">
        <li>Type words in any order. Messages with more of them come first.</li>
        <li>Put a phrase in double quotes if it has to occur: “annual billing”.</li>
        <li>
          Narrow it down as you type: <code>from:name</code>, <code>in:project</code>,{' '}
          <code>before:2026-01-31</code>, <code>after:yesterday</code>, <code>has:link</code>. Names
          with spaces go in quotes.
        </li>
        <li>You search every session that you can read, archived ones too.</li>
      </ul>
    </EmptyState>
  );
}

function Nothing({ search, onClearFilters }: Pick<ResultsProps, 'search' | 'onClearFilters'>) {
  const query = splitQuery(search.q ?? '').words;
  return (
    <EmptyState
      icon={SearchX}
      title={`No messages with “${shorten(query.trim())}”`}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {isFiltered(search) && <Button onClick={onClearFilters}>Clear all filters</Button>}
          <LinkButton to="/memory" search={{ q: query }}>
            Search memory instead
          </LinkButton>
        </div>
      }
    >
      <ul className="list-disc text-start">
        <li>Try fewer or different words. Words such as “the” or “what” are ignored.</li>
        {/["“„«]/.test(query) && (
          <li>A phrase in quotes has to occur exactly. Try without quotes.</li>
        )}
        {isFiltered(search) && <li>Filters are on. They may hide what you’re looking for.</li>}
        <li>Messages in projects and private sessions that you’re not in never appear here.</li>
      </ul>
    </EmptyState>
  );
}
