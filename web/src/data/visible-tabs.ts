import { useSyncExternalStore } from 'react';

const LOCK = 'atrium.visible';

/** Tabs that are visible share a lock, so that hidden ones know that the person is looking at Atrium. */
export function holdWhileVisible(): () => void {
  const locks = navigator.locks as LockManager | undefined;
  let release: (() => void) | undefined;
  const follow = () => {
    release?.();
    release = undefined;
    if (isHidden()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    release = resolve;
    void locks?.request(LOCK, { mode: 'shared' }, () => promise);
  };
  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    release?.();
  };
}

/** Whether no tab of Atrium in this browser can be seen. */
export async function isInBackground(): Promise<boolean> {
  if (!isHidden()) return false;
  const locks = navigator.locks as LockManager | undefined;
  const { held = [] } = (await locks?.query()) ?? {};
  return !held.some(({ name }) => name === LOCK);
}

function isHidden(): boolean {
  return document.visibilityState === 'hidden';
}

/** Whether this tab can be seen. */
export function useIsVisible(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      document.addEventListener('visibilitychange', watcher);
      return () => document.removeEventListener('visibilitychange', watcher);
    },
    () => !isHidden(),
  );
}
