import type { Project, SessionDetails } from '@atrium/sdk';
import { createContext, useContext, type RefObject } from 'react';
import type { Note } from './list/rows.ts';
import type { SessionMessages } from './store/session-messages.ts';

/** What a session is part of, such as a task, which has the heading and gets focus first. */
export interface Around {
  /** What scrolls. The messages are the last in it. */
  scroller: RefObject<HTMLDivElement | null>;
  /** Below what scrolls: where the composer goes. */
  foot: HTMLElement | null;
  /** What else happened, oldest first, shown between the messages. */
  notes: readonly Note[];
  /** Undefined if all are there. */
  loadOlderNotes: (() => void) | undefined;
  /** Somebody began to write before there was a composer. */
  takesFocus: boolean;
}

/** The session that is open, for everything on its page. */
export interface SessionOnPage {
  slug: string;
  session: SessionDetails;
  /** Undefined until it is loaded. */
  project: Project | undefined;
  messages: SessionMessages;
  /** False in an archived session or project. */
  canWrite: boolean;
  /** Null on a page of its own. */
  around: Around | null;
}

export const SessionContext = createContext<SessionOnPage | undefined>(undefined);

export function useSession(): SessionOnPage {
  const opened = useContext(SessionContext);
  if (!opened) throw new Error('useSession needs a session around it');
  return opened;
}
