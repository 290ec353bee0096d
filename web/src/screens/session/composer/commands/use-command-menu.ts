import { useMemo, type KeyboardEvent } from 'react';
import { lazyFile } from '../../../../data/lazy-file.ts';
import { useSuggestionMenu } from '../use-suggestion-menu.ts';
import type { CommandSuggestion } from './command-table.ts';
import { findCommandQuery, readCommand } from './typed-command.ts';

const useCommandTable = lazyFile(() => import('./command-table.ts'));
const NONE: never[] = [];

/** Commands while `/re` is being typed, and afterwards what the one in the text does. */
export function useCommandMenu(
  text: string,
  caret: number | null,
  replace: (from: number, to: number, text: string) => void,
) {
  const query = caret === null ? undefined : findCommandQuery(text, caret);
  const typed = text.startsWith('/') ? readCommand(text) : undefined;
  const table = useCommandTable(query !== undefined || typed !== undefined);
  const suggestions = useMemo(
    () => (query === undefined ? NONE : (table?.suggestCommands(query) ?? NONE)),
    [table, query],
  );

  const menu = useSuggestionMenu<CommandSuggestion>({
    from: query === undefined ? undefined : 0,
    suggestions,
    choose({ name }) {
      if (caret === null) return;
      const [rest = ''] = /^[a-z]*\s?/i.exec(text.slice(caret)) ?? [];
      replace(0, caret + rest.length, `/${name} `);
    },
  });

  function handleKey(event: KeyboardEvent): boolean {
    const active = menu.suggestions[menu.active];
    // It is written in full and needs nothing more, so Enter runs it.
    if (event.key === 'Enter' && active?.runsAlone && active.name === query) return false;
    return menu.handleKey(event);
  }

  const chosen =
    typed && menu.suggestions.length === 0 ? table?.findCommand(typed.name) : undefined;
  const usage = chosen && `/${chosen.name} ${chosen.args}: ${chosen.about}`;
  return { ...menu, handleKey, usage };
}
