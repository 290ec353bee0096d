import { createContext, useContext } from 'react';

/** What can be opened from anywhere: by a button, the palette or a key. */
export interface ShellActions {
  openPalette: () => void;
  openShortcuts: () => void;
  openNewProject: () => void;
  /** In the project with this slug. Without one, the person chooses. */
  openNewSession: (slug?: string) => void;
  openNewOrg: () => void;
}

export const ShellActionsContext = createContext<ShellActions | undefined>(undefined);

export function useShellActions(): ShellActions {
  const actions = useContext(ShellActionsContext);
  if (!actions) throw new Error('useShellActions needs the shell around it');
  return actions;
}
