import type { Session } from '@atrium/sdk';
import { useMemo, useState, type KeyboardEvent } from 'react';
import {
  useAgentsIn,
  useIntegrations,
  useMembers,
  useModels,
  useProjectMembers,
} from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import {
  findMentionQuery,
  listSuggestions,
  matchSuggestions,
  type Suggestion,
} from './mentions.ts';

const NONE: never[] = [];

interface MentionMenu {
  suggestions: readonly Suggestion[];
  /** -1 if none of them can be chosen. */
  active: number;
  setActive: (at: number) => void;
  close: () => void;
  choose: (suggestion: Suggestion) => void;
  /** True if the menu handled the key. */
  handleKey: (event: KeyboardEvent) => boolean;
}

/** Suggestions while an @ is being typed. `replace` replaces a range with a text. */
export function useMentionMenu(
  session: Session,
  text: string,
  caret: number | null,
  replace: (from: number, to: number, text: string) => void,
): MentionMenu {
  const all = useSuggestions(session);
  const [closedAt, setClosedAt] = useState<number>();
  const typed = caret === null ? undefined : findMentionQuery(text, caret);
  const isOpen = typed !== undefined && typed.from !== closedAt;
  const query = isOpen ? typed.query : undefined;
  const suggestions = useMemo(
    () => (query === undefined ? NONE : matchSuggestions(all, query)),
    [all, query],
  );
  // A new list starts at the top.
  const [chosen, setChosen] = useState<{ list: readonly Suggestion[]; at: number }>();
  const first = suggestions.findIndex(isChoosable);
  const active = chosen?.list === suggestions ? chosen.at : first;
  const setActive = (at: number) => setChosen({ list: suggestions, at });
  const close = () => setClosedAt(typed?.from);
  if (typed === undefined && closedAt !== undefined) setClosedAt(undefined);

  function choose(suggestion: Suggestion) {
    if (!typed || caret === null || !isChoosable(suggestion)) return;
    // If chosen in the middle of a word, the rest of the word goes too.
    const rest = /^[\p{L}\p{M}\p{N}._:-]*/u.exec(text.slice(caret))?.[0].length ?? 0;
    const space = text.slice(caret + rest).startsWith(' ') ? '' : ' ';
    replace(typed.from, caret + rest, suggestion.text + space);
  }

  function handleKey(event: KeyboardEvent): boolean {
    if (suggestions.length === 0 || event.nativeEvent.isComposing) return false;
    const suggestion = suggestions[active];
    if (event.key === 'Escape') close();
    else if (!suggestion) return false;
    else if (event.key === 'ArrowDown') setActive(findNext(suggestions, active, 1));
    else if (event.key === 'ArrowUp') setActive(findNext(suggestions, active, -1));
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
      choose(suggestion);
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  return { suggestions, active, setActive, close, choose, handleKey };
}

function isChoosable({ refusal }: Suggestion): boolean {
  return refusal === undefined;
}

/** The next one that can be chosen, going round. */
function findNext(suggestions: readonly Suggestion[], from: number, step: 1 | -1): number {
  const { length } = suggestions;
  const order = suggestions.map((_, at) => (from + step * (at + 1) + 2 * length) % length);
  return order.find((at) => suggestions[at] && isChoosable(suggestions[at])) ?? from;
}

function useSuggestions(session: Session): Suggestion[] {
  const { projectId, model, defaultAgent } = session;
  const { data: models = NONE } = useModels();
  const agents = useAgentsIn(projectId);
  const { data: servers = NONE } = useIntegrations();
  const { profile } = useWorkspace();
  const { data: members = NONE } = useMembers();
  const refusalOf = useRefusals(session);
  const sessionModel = model ?? defaultAgent;
  return useMemo(() => {
    const people = members.filter(({ userId }) => userId !== profile.userId);
    return listSuggestions({ models, agents, servers, people, refusalOf, projectId, sessionModel });
  }, [models, agents, servers, members, refusalOf, profile.userId, projectId, sessionModel]);
}

/** The server tells only people who can read the session. This says beforehand who can't. */
function useRefusals({ projectId, access, participantUserIds }: Session) {
  const { data: inside } = useProjectMembers(projectId);
  return useMemo(() => {
    const insiders = inside && new Set(inside.map(({ userId }) => userId));
    const participants = access === 'PARTICIPANTS' ? new Set(participantUserIds) : undefined;
    return (userId: string): string | undefined => {
      if (insiders?.has(userId) === false) return 'has no access to this project';
      if (participants?.has(userId) === false) return 'is not a participant of this session';
      return undefined;
    };
  }, [inside, access, participantUserIds]);
}
