import { useState } from 'react';

/** Runs something that may fail. The result goes to the caller and is kept nowhere. */
export function useTask() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  async function run(task: () => Promise<void>): Promise<void> {
    setBusy(true);
    setError(undefined);
    try {
      await task();
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  }
  return { isBusy, error, run };
}
