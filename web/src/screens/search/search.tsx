import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { changeSearch, type SearchChanges } from '../../data/search-params.ts';
import { PageHeader } from '../../ui/pages/page.tsx';
import { SearchBox } from '../../ui/forms/search-box.tsx';
import { nameSession } from '../../data/all-sessions.ts';
import { Filters } from './filters.tsx';
import { Results } from './results.tsx';
import { OperatorHelp } from './operator-help.tsx';
import { splitQuery, takeOperators } from './operators.ts';
import { NO_FILTERS, type MessageSearch } from './search-params.ts';
import { useMeanings } from './use-meanings.ts';
import { useMessageSearch } from './use-message-search.ts';
import { PAGE } from '../../ui/pages/page-edge.ts';

const route = getRouteApi('/workspace/search');

/** The messages of every session that the person may read. The address holds the search and the filters. */
export function SearchScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const found = useMessageSearch(search);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const { matches, isSearch } = found;

  const change = (changes: SearchChanges<MessageSearch>, replace = false) =>
    void navigate({ search: (before) => changeSearch(before, changes), replace });
  const findMeanings = useMeanings();
  const taken = takeOperators(search.q ?? '', findMeanings);
  const takenKey = JSON.stringify(taken);
  useEffect(() => {
    if (taken) change(taken, true);
    // The key says what was taken, and a link may have brought it.
    // eslint-disable-next-line react/exhaustive-deps
  }, [takenKey]);
  function choose(changes: SearchChanges<MessageSearch>) {
    change(changes, true);
    input.current?.focus();
  }
  const foundSessions = new Map(matches.map(({ session }) => [session.id, nameSession(session)]));
  useEffect(() => {
    if (!isSearch) input.current?.focus();
    // Only on arrival, when there is nothing to read yet.
    // eslint-disable-next-line react/exhaustive-deps
  }, []);
  return (
    <div className={PAGE}>
      <PageHeader title="Search">
        Messages in every session that you can read. Open one to see it in its place.
      </PageHeader>
      <SearchBox
        label="Search messages"
        placeholder="Words, a “phrase”, from:name, in:project, has:link"
        inputRef={input}
        query={search.q ?? ''}
        isBusy={found.isStale}
        onSearch={(q, isEntered) => change({ q: isEntered ? finish(q) : q }, true)}
        onArrowDown={() => list.current?.querySelector<HTMLElement>('[data-result]')?.focus()}
      />
      <OperatorHelp typed={search.q ?? ''} findMeanings={findMeanings} onChoose={choose} />
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

/** Enter ends the operator that is being typed. */
function finish(q: string | undefined): string | undefined {
  const last = splitQuery(q ?? '').operators.at(-1);
  return last && !last.isFinished ? `${q} ` : q;
}
