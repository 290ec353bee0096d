import type { MemoryMatch, MessageMatch } from '@atrium/sdk';
import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { BookMarked, MessageCircle, TextSearch } from 'lucide-react';
import { useAuthorName } from '../data/queries.ts';
import { keys } from '../data/query-keys.ts';
import { useFetched } from '../data/use-fetched.ts';
import { Passage } from '../ui/marks/passage.tsx';
import { shorten } from '../ui/text/sentence.ts';
import { useSettled } from '../ui/forms/use-settled.ts';
import { findMarks, isClose } from '../screens/memory/find-marks.ts';
import { splitQuery } from '../screens/search/operators.ts';
import { plainMatch, withoutMarkup } from '../screens/search/marks-of.ts';
import { nameSession } from '../data/all-sessions.ts';
import { iconOf } from './palette-entries.tsx';
import { named, type PaletteEntry, type PaletteGroup } from './palette-groups.ts';
import { useFoundFiles } from './palette-files.tsx';
import { useFoundTasks } from './palette-tasks.tsx';

const PAUSE_MS = 250;
/** One letter finds too much. */
const SHORTEST = 2;
const MOST_FOUND = 5;
const PASSAGE_LENGTH = 90;

/**
 * What only the server can find: one request for each kind, when the person pauses. The next letter cancels
 * them. A pause makes at most four requests, so there is no room for another kind.
 */
export function useFoundGroups(typed: string): { groups: PaletteGroup[]; isBusy: boolean } {
  const query = useSettled(typed, PAUSE_MS);
  const { words } = splitQuery(query);
  const enabled = query.length >= SHORTEST && typed !== '';
  const messages = useFetched(
    (orgId) => [...keys.messageSearch(orgId), 'palette', query],
    ({ client }, options) => client.messages.search({ query: words, limit: MOST_FOUND }, options),
    { enabled: enabled && words !== '', placeholderData: keepPreviousData },
  );
  const memories = useFetched(
    (orgId) => [...keys.memory(orgId), 'palette', query],
    ({ client }, options) => client.memory.search({ query, limit: MOST_FOUND }, options),
    { enabled, placeholderData: keepPreviousData },
  );
  const tasks = useFoundTasks({ query, enabled, limit: MOST_FOUND });
  const files = useFoundFiles({ query, enabled, limit: MOST_FOUND });
  const toMessage = useMessageEntry();
  const toMemory = useMemoryEntry(query);
  const navigate = useNavigate();
  if (typed === '') return { groups: [], isBusy: false };
  const foundMessages = (enabled && messages.data?.items) || [];
  const foundMemories = ((enabled && memories.data?.items) || []).filter((memory) =>
    isClose(memory, query),
  );
  const search = { q: typed };
  // First in their groups, where nothing moves them when results arrive.
  const searchMessages: PaletteEntry = {
    id: 'search-messages',
    label: `Search messages for “${shorten(typed)}”`,
    group: 'Messages',
    kind: 'Search',
    icon: iconOf(TextSearch),
    run: () => void navigate({ to: '/search', search }),
  };
  const searchMemory: PaletteEntry = {
    id: 'search-memory',
    label: `Search memory for “${shorten(typed)}”`,
    group: 'Memories',
    kind: 'Memory',
    icon: iconOf(BookMarked),
    run: () => void navigate({ to: '/memory', search }),
  };
  return {
    groups: [
      { name: 'Messages', entries: [searchMessages, ...foundMessages.map(toMessage)] },
      ...named('Tasks', tasks.entries),
      ...named('Files', files.entries),
      { name: 'Memories', entries: [searchMemory, ...foundMemories.map(toMemory)] },
    ],
    isBusy:
      typed !== query || [messages, memories, tasks, files].some(({ isFetching }) => isFetching),
  };
}

function useMessageEntry(): (match: MessageMatch) => PaletteEntry {
  const authorName = useAuthorName();
  const openMessage = useOpenMessage();
  return (match) => {
    const { message, session, highlights } = match;
    const found = plainMatch(message.body, highlights);
    return {
      id: `message-${message.id}`,
      label: found.text,
      content: <Passage {...found} length={PASSAGE_LENGTH} />,
      group: 'Messages',
      kind: `${authorName(message)} in ${nameSession(session)}`,
      icon: iconOf(MessageCircle),
      run: () => void openMessage(match),
    };
  };
}

/** Also when the address names the message already, but the reader has scrolled away from it. */
function useOpenMessage(): (match: MessageMatch) => Promise<void> {
  const navigate = useNavigate();
  const router = useRouter();
  return async ({ message, session, project }) => {
    const place = {
      to: '/p/$slug/s/$sessionId',
      params: { slug: project.slug, sessionId: session.id },
    } as const;
    const search = { m: message.id };
    const isThere = router.buildLocation({ ...place, search }).href === router.state.location.href;
    if (isThere) await navigate({ ...place, search: {}, replace: true });
    await navigate({ ...place, search, replace: isThere });
  };
}

function useMemoryEntry(query: string): (memory: MemoryMatch) => PaletteEntry {
  const navigate = useNavigate();
  return ({ id, content }) => {
    const found = withoutMarkup(content, findMarks(content, query));
    return {
      id: `memory-${id}`,
      label: found.text,
      content: <Passage {...found} length={PASSAGE_LENGTH} />,
      group: 'Memories',
      kind: 'Memory',
      icon: iconOf(BookMarked),
      run: () => void navigate({ to: '/memory', search: { id, q: query } }),
    };
  };
}
