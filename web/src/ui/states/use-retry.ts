import { useCallback, useEffect, useRef } from 'react';
import { useIsConnected } from '../../data/live.ts';
import { PartNotLoaded, retryPart } from '../../data/parts.ts';

/** Tries again what failed to show: when the person asks, and a part that isn't loaded once the server is back. */
export function useRetry(error: unknown, reset: () => void): () => void {
  const isConnected = useIsConnected();
  const wasConnected = useRef(isConnected);
  const retry = useCallback(() => {
    async function tryAgain() {
      if (!(error instanceof PartNotLoaded) || (await retryPart(error))) reset();
    }
    void tryAgain();
  }, [error, reset]);
  useEffect(() => {
    const isBack = isConnected && !wasConnected.current;
    wasConnected.current = isConnected;
    if (isBack && error instanceof PartNotLoaded) retry();
  }, [isConnected, error, retry]);
  return retry;
}
