import { useState } from 'react';

/** Runs something that may fail. The result goes to the caller and is kept nowhere. */
export function useSecretChange() {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  async function run(task: () => Promise<void>): Promise<void> {
    setPending(true);
    setError(undefined);
    try {
      await task();
    } catch (failure) {
      setError(failure);
    }
    setPending(false);
  }
  return { isPending, error, run };
}
