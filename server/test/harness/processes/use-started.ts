import { afterAll, beforeAll } from 'vitest';

/**
 * What `start` returns: started before the tests of a file or `describe`, and stopped after them. Its fields
 * exist only in hooks and tests.
 */
export function useStarted<T extends object>(
  start: () => Promise<T>,
  stop: (started: T) => Promise<unknown>,
): T {
  const started = {} as T;
  let isStarted = false;
  beforeAll(async () => {
    Object.assign(started, await start());
    isStarted = true;
  });
  afterAll(async () => {
    if (isStarted) await stop(started);
  });
  return started;
}
