import { createStore } from '../store.ts';

/** What a person has chosen in this browser. `read` says what the stored text means. Other tabs follow. */
export function createStoredChoice<Choice>(name: string, read: (stored: string | null) => Choice) {
  const current = () => read(localStorage.getItem(name));
  const store = createStore(current());
  const refresh = () => {
    store.setState(current());
    return store.getState();
  };
  addEventListener('storage', ({ key }) => {
    if (key === name || key === null) refresh();
  });
  return {
    getState: store.getState,
    subscribe: store.subscribe,
    /** Reads it again, because what it means may have changed. */
    refresh,
    /** Null forgets the choice. */
    choose(text: string | null): void {
      if (text === null) localStorage.removeItem(name);
      else localStorage.setItem(name, text);
      refresh();
    },
  };
}
