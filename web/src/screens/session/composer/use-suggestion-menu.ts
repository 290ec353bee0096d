import { useState, type KeyboardEvent } from 'react';

interface MenuParts<Suggestion> {
  /** Where the typed name begins; undefined if none is being typed. */
  from: number | undefined;
  /** The same array as long as nothing changes. */
  suggestions: readonly Suggestion[];
  isChoosable?: (suggestion: Suggestion) => boolean;
  choose: (suggestion: Suggestion) => void;
}

const always = () => true;

/** The active one of a list of suggestions, and its keys, while focus stays in the text. */
export function useSuggestionMenu<Suggestion>(parts: MenuParts<Suggestion>) {
  const { from, isChoosable = always, choose } = parts;
  const [closedAt, setClosedAt] = useState<number>();
  const suggestions = from === closedAt ? [] : parts.suggestions;
  // A new list starts at the top.
  const [chosen, setChosen] = useState<{ list: readonly Suggestion[]; at: number }>();
  /** -1 if none of them can be chosen. */
  const active =
    chosen?.list === parts.suggestions ? chosen.at : suggestions.findIndex(isChoosable);
  const setActive = (at: number) => setChosen({ list: parts.suggestions, at });
  if (from === undefined && closedAt !== undefined) setClosedAt(undefined);

  /** The next one that can be chosen, going round. */
  function findNext(step: 1 | -1): number {
    const { length } = suggestions;
    const order = suggestions.map((_, at) => (active + step * (at + 1) + 2 * length) % length);
    return order.find((at) => suggestions[at] && isChoosable(suggestions[at])) ?? active;
  }

  /** True if the menu handled the key. */
  function handleKey(event: KeyboardEvent): boolean {
    if (suggestions.length === 0 || event.nativeEvent.isComposing) return false;
    const suggestion = suggestions[active];
    if (event.key === 'Escape') setClosedAt(from);
    else if (!suggestion) return false;
    else if (event.key === 'ArrowDown') setActive(findNext(1));
    else if (event.key === 'ArrowUp') setActive(findNext(-1));
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
      choose(suggestion);
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  return { suggestions, active, setActive, choose, handleKey };
}
