import type { Member } from '@atrium/sdk';
import { useSyncExternalStore } from 'react';
import { createStore } from './store.ts';

export type Presence = Member['presence'];
export type PageState = Exclude<Presence, 'OFFLINE'>;

/** Not in the cache with the members: it changes often, and few components show it. */
const presences = createStore<Readonly<Record<string, Presence>>>({});

/** Whether somebody is there. Undefined if they are not, or nobody says so. */
export function usePresence(userId: string): PageState | undefined {
  const presence = useSyncExternalStore(presences.subscribe, () => presences.getState()[userId]);
  return presence === 'OFFLINE' ? undefined : presence;
}

/** From the list of members, which says it of everybody. */
export function notePresences(members: readonly Member[]): void {
  presences.setState(Object.fromEntries(members.map((one) => [one.userId, one.presence])));
}

export function notePresenceChanges(people: Readonly<Record<string, Presence>>): void {
  presences.setState({ ...presences.getState(), ...people });
}

/** Whether this browser's person is there, as others are told by the tab that holds the stream. */
export const ownState = createStore<PageState>('ACTIVE');
