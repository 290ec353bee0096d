import { createContext, useContext } from 'react';

/** What can be opened from anywhere: by a button, the palette or a key. */
export interface ShellActions {
  openPalette: () => void;
  openShortcuts: () => void;
  openNewProject: () => void;
  /** In the Project of this slug; where left out, the person chooses. */
  openNewSession: (slug?: string) => void;
  openNewOrg: () => void;
}

export const ShellActionsContext = createContext<ShellActions | undefined>(undefined);

export function useShellActions(): ShellActions {
  const actions = useContext(ShellActionsContext);
  if (!actions) throw new Error('useShellActions is for screens inside the shell');
  return actions;
}
