import type { Member, SessionDetails } from '@atrium/sdk';
import type { QueryClient } from '@tanstack/react-query';
import type { UseNavigateResult } from '@tanstack/react-router';
import type { Workspace } from '../../../../data/workspace.tsx';
import type { ShellActions } from '../../../../shared/shell-actions.ts';

/** What commands work with: the open session, and the app around it. */
export interface CommandContext {
  workspace: Workspace;
  queryClient: QueryClient;
  navigate: UseNavigateResult<string>;
  shell: ShellActions;
  slug: string;
  session: SessionDetails;
  members: readonly Member[];
  now: Date;
}

/** What a command did, or why it could do nothing. */
export type Outcome =
  | {
      said: string;
      undo?: () => Promise<unknown>;
      /** Where to see it. */
      open?: { label: string; go: () => void };
    }
  /** Shown next to the draft, which stays. */
  | { problem: string }
  /** The person goes on in a dialog that was opened. */
  | { isOpened: true }
  /** They still have to choose when to be reminded of it. */
  | { remindOf: string };

export interface Command {
  name: string;
  /** What follows the name; in brackets what can be left out. */
  args: string;
  about: string;
  /** Whether it does something without anything after it. */
  runsAlone?: boolean;
  run: (ctx: CommandContext, args: string) => Promise<Outcome>;
}
