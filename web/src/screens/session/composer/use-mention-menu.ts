import type { Session } from '@atrium/sdk';
import { useMemo, useState, type KeyboardEvent } from 'react';
import { useAgentsIn, useIntegrations, useMembers, useModels } from '../../../data/queries.ts';
import {
  findMentionQuery,
  listSuggestions,
  matchSuggestions,
  type Suggestion,
} from './mentions.ts';

const NONE: never[] = [];

interface MentionMenu {
  suggestions: readonly Suggestion[];
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
  const active = chosen?.list === suggestions ? chosen.at : 0;
  const setActive = (at: number) => setChosen({ list: suggestions, at });
  const close = () => setClosedAt(typed?.from);
  if (typed === undefined && closedAt !== undefined) setClosedAt(undefined);

  function choose(suggestion: Suggestion) {
    if (!typed || caret === null) return;
    // If chosen in the middle of a word, the rest of the word goes too.
    const rest = /^[\p{L}\p{M}\p{N}._:-]*/u.exec(text.slice(caret))?.[0].length ?? 0;
    const space = text.slice(caret + rest).startsWith(' ') ? '' : ' ';
    replace(typed.from, caret + rest, suggestion.text + space);
  }

  function handleKey(event: KeyboardEvent): boolean {
    if (suggestions.length === 0 || event.nativeEvent.isComposing) return false;
    const suggestion = suggestions[active];
    if (event.key === 'ArrowDown') setActive((active + 1) % suggestions.length);
    else if (event.key === 'ArrowUp') {
      setActive((active - 1 + suggestions.length) % suggestions.length);
    } else if (event.key === 'Escape') close();
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && suggestion) {
      choose(suggestion);
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  return { suggestions, active, setActive, close, choose, handleKey };
}

function useSuggestions({ projectId, model, defaultAgent }: Session): Suggestion[] {
  const { data: models = NONE } = useModels();
  const agents = useAgentsIn(projectId);
  const { data: servers = NONE } = useIntegrations();
  const { data: members = NONE } = useMembers();
  const sessionModel = model ?? defaultAgent;
  return useMemo(
    () => listSuggestions({ models, agents, servers, members, projectId, sessionModel }),
    [models, agents, servers, members, projectId, sessionModel],
  );
}
