import { useSyncExternalStore } from 'react';

/** What a component can watch with `useStore`. */
export interface Watchable<State> {
  getState: () => State;
  subscribe: (listener: () => void) => () => void;
}

export function useStore<State>({ subscribe, getState }: Watchable<State>): State {
  return useSyncExternalStore(subscribe, getState);
}

/** One value outside React, such as the theme, that components watch. */
export function createStore<State>(initial: State) {
  const listeners = createListeners();
  let state = initial;
  return {
    getState: () => state,
    subscribe: listeners.subscribe,
    setState: (next: State): void => {
      if (Object.is(next, state)) return;
      state = next;
      listeners.notify();
    },
  };
}

export function createListeners<Args extends unknown[] = []>() {
  const listeners = new Set<(...args: Args) => void>();
  return {
    /** Returns the function that unsubscribes. */
    subscribe: (listener: (...args: Args) => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify: (...args: Args): void => {
      for (const listener of listeners) listener(...args);
    },
    isEmpty: () => listeners.size === 0,
  };
}
