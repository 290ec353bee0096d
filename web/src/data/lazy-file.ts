import { useEffect } from 'react';
import { createStore, useStore } from './store.ts';

/**
 * A hook for functions in a file that is loaded when it is first needed. It returns undefined until the file is
 * there, and as long as it isn't needed.
 */
export function lazyFile<File extends object>(
  load: () => Promise<File>,
): (isNeeded: boolean) => File | undefined {
  const file = createStore<File | undefined>(undefined);
  let loading: Promise<void> | undefined;
  function start(): void {
    loading ??= load().then(file.setState, () => {
      // Whoever needs it next asks again.
      loading = undefined;
    });
  }
  return (isNeeded) => {
    const loaded = useStore(file);
    useEffect(() => {
      if (isNeeded && !loaded) start();
    }, [isNeeded, loaded]);
    return isNeeded ? loaded : undefined;
  };
}
