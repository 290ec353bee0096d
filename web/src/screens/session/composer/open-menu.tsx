import { quietPart } from '../../../ui/layers/part-boundary.tsx';
import type { Suggested } from './suggestion-list.tsx';

const SuggestionList = quietPart(() => import('./suggestion-list.tsx'), 'SuggestionList');

interface OpenMenuProps<Suggestion> {
  id: string;
  label: string;
  /** What `useSuggestionMenu` returns. */
  menu: {
    suggestions: readonly Suggestion[];
    active: number;
    setActive: (at: number) => void;
    choose: (suggestion: Suggestion) => void;
  };
}

/** A list of suggestions while it has any. */
export function OpenMenu<Suggestion extends Suggested>({
  id,
  label,
  menu: { suggestions, active, setActive, choose },
}: OpenMenuProps<Suggestion>) {
  if (suggestions.length === 0) return null;
  const chooseAt = (chosen: Suggested) => {
    const suggestion = suggestions.find((one) => one.id === chosen.id);
    if (suggestion) choose(suggestion);
  };
  return (
    <SuggestionList
      {...{ id, label, suggestions, active }}
      onActive={setActive}
      onChoose={chooseAt}
    />
  );
}
