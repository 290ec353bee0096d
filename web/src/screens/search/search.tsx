import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { changeSearch, type SearchChanges } from '../../data/search-params.ts';
import { PageHeader } from '../../ui/pages/page.tsx';
import { SearchBox } from '../../ui/forms/search-box.tsx';
import { nameSession } from '../../data/all-sessions.ts';
import { Filters } from './filters.tsx';
import { Results } from './results.tsx';
import { NO_FILTERS, type MessageSearch } from './search-params.ts';
import { useMessageSearch } from './use-message-search.ts';

const route = getRouteApi('/workspace/search');

/** The messages of every session that the person may read. The address holds the search and the filters. */
export function SearchScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const found = useMessageSearch(search);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const { matches, isSearch } = found;

  const change = useCallback(
    (changes: SearchChanges<MessageSearch>, replace = false) =>
      void navigate({ search: (before) => changeSearch(before, changes), replace }),
    [navigate],
  );
  const foundSessions = useMemo(
    () => new Map(matches.map(({ session }) => [session.id, nameSession(session)])),
    [matches],
  );
  useEffect(() => {
    if (!isSearch) input.current?.focus();
    // Only on arrival, when there is nothing to read yet.
    // eslint-disable-next-line react/exhaustive-deps
  }, []);
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-4 px-4 py-6 sm:px-6">
      <PageHeader title="Search">
        Messages in every session that you can read. Open one to see it in its place.
      </PageHeader>
      <SearchBox
        label="Search messages"
        placeholder="Words, or a “phrase” in quotes"
        inputRef={input}
        query={search.q ?? ''}
        isBusy={found.isStale}
        onSearch={(q) => change({ q }, true)}
        onArrowDown={() => list.current?.querySelector<HTMLElement>('[data-result]')?.focus()}
      />
      <Filters search={search} foundSessions={foundSessions} onChange={change} />
      <Results
        found={found}
        search={search}
        listRef={list}
        onClearFilters={() => change(NO_FILTERS)}
        onLeave={() => input.current?.focus()}
      />
    </div>
  );
}
