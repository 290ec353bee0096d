import type { Task } from '@atrium/sdk';
import { createContext, useContext } from 'react';

/** What a new task begins with. */
export interface NewTaskStart {
  /** The project's slug. Without one, the person chooses. */
  slug?: string | undefined;
  status?: Task['status'];
  title?: string;
  /** The message it is made from. */
  sourceMessageId?: string;
  /** Called when the dialog is closed, whether a task was created or not. */
  onClosed?: () => void;
}

/** What can be opened from anywhere: by a button, the palette or a key. */
export interface ShellActions {
  openPalette: () => void;
  openShortcuts: () => void;
  openNewProject: () => void;
  /** In the project with this slug. Without one, the person chooses. */
  openNewSession: (slug?: string) => void;
  /** With these people chosen. */
  openNewDirect: (userIds?: readonly string[]) => void;
  /** In the project with this slug, or the current one. The person can choose another. */
  openNewChat: (slug?: string) => void;
  openNewTask: (start?: NewTaskStart) => void;
  openNewOrg: () => void;
  /** What the person is doing, for others to see. */
  openStatus: () => void;
}

export const ShellActionsContext = createContext<ShellActions | undefined>(undefined);

export function useShellActions(): ShellActions {
  const actions = useContext(ShellActionsContext);
  if (!actions) throw new Error('useShellActions needs the shell around it');
  return actions;
}
