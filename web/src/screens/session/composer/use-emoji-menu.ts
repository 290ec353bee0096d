import { useMemo, type KeyboardEvent } from 'react';
import { useOwner } from '../../../data/workspace.tsx';
import { useEmojiList } from '../../../shared/emoji/emoji-list.ts';
import type { EmojiSuggestion } from '../../../shared/emoji/suggest-emoji.ts';
import type { Suggested } from './suggestion-list.tsx';
import { findEmojiQuery } from './emoji-names.ts';
import { useSuggestionMenu } from './use-suggestion-menu.ts';

const NONE: never[] = [];

type Suggestion = Suggested & EmojiSuggestion;

function inList(emoji: EmojiSuggestion): Suggestion {
  const { text, shortName, name } = emoji;
  return { ...emoji, id: text, kind: 'emoji', mark: text, title: `:${shortName}:`, detail: name };
}

/** Suggestions while `:ta` is being typed. A whole name in colons becomes its emoji. */
export function useEmojiMenu(
  text: string,
  caret: number | null,
  replace: (from: number, to: number, text: string) => void,
) {
  const owner = useOwner();
  const typed = caret === null ? undefined : findEmojiQuery(text, caret);
  const query = typed?.query;
  const list = useEmojiList(query !== undefined);
  const suggestions = useMemo(
    () => (query === undefined ? NONE : (list?.suggestEmoji(owner, query).map(inList) ?? NONE)),
    [list, owner, query],
  );

  function insert(suggestion: Suggestion, after: string) {
    if (!typed || caret === null) return;
    // If chosen in the middle of a name, the rest of it goes too.
    const [rest = ''] = /^[a-z0-9_+-]*:?/i.exec(text.slice(caret)) ?? [];
    list?.noteUsed(owner, suggestion.text);
    const isBeforeSpace = /^\s/.test(text.slice(caret + rest.length));
    replace(typed.from, caret + rest.length, suggestion.text + (isBeforeSpace ? '' : after));
  }

  const menu = useSuggestionMenu({
    from: typed?.from,
    suggestions,
    choose: (suggestion) => insert(suggestion, ' '),
  });

  function handleKey(event: KeyboardEvent): boolean {
    const whole = event.key === ':' && suggestions.find(({ shortName }) => shortName === query);
    if (!whole || event.nativeEvent.isComposing) return menu.handleKey(event);
    insert(whole, '');
    event.preventDefault();
    return true;
  }

  return { ...menu, handleKey };
}
