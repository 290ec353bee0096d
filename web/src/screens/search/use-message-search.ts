import type { MessageMatches } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useHints, type Hint } from '../../data/live.ts';
import { keys } from '../../data/query-keys.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { dayEnd, dayStart } from '../../ui/text/days.ts';
import { isContent } from './contents.ts';
import { splitQuery } from './operators.ts';
import type { MessageSearch } from './search-params.ts';

const FIRST_MATCHES = 20;
/** The most that the API returns. */
export const MOST_MATCHES = 100;

/** The messages found, best first. Those of the last search stay until there are new ones. */
export function useMessageSearch(search: MessageSearch) {
  const { client, org } = useWorkspace();
  const filter = {
    query: splitQuery(search.q ?? '').words,
    projectId: search.project ?? null,
    sessionId: search.session ?? null,
    authorUserId: search.author ?? null,
    agent: search.agent ?? null,
    createdAfter: dayStart(search.after) ?? null,
    createdBefore: dayEnd(search.before) ?? null,
    has: isContent(search.has) ? [search.has] : null,
  };
  const asked = JSON.stringify(filter);
  // A new search starts with few results again.
  const [longFor, setLongFor] = useState<string>();
  const limit = longFor === asked ? MOST_MATCHES : FIRST_MATCHES;
  const isSearch = filter.query !== '';
  const found = useQuery({
    queryKey: [...keys.messageSearch(org.id), { ...filter, limit }],
    queryFn: async ({ signal }): Promise<MessageMatches> =>
      client.messages.search({ ...filter, limit }, { signal }),
    enabled: isSearch,
    placeholderData: (before, from) => (from?.queryKey[0] === org.id ? before : undefined),
  });
  const { data, refetch } = found;
  // An edited message may not match any more. New ones would move the list under the reader.
  useHints(
    useCallback(
      (hint: Hint) => {
        if (hint.type !== 'message.updated') return;
        if (data?.items.some(({ message }) => message.id === hint.messageId)) void refetch();
      },
      [data, refetch],
    ),
  );
  return {
    isSearch,
    matches: (isSearch && data?.items) || [],
    isPending: isSearch && found.isPending,
    isStale: isSearch && found.isPlaceholderData,
    isIncomplete: data?.degraded === true,
    error: isSearch ? found.error : null,
    hasMore: limit < MOST_MATCHES && data?.items.length === limit,
    loadMore: () => setLongFor(asked),
    retry: () => void refetch(),
  };
}
