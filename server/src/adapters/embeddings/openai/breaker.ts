export interface Breaker {
  /** False while the service counts as down, except for one caller at a time who finds out. */
  mayTry(): boolean;
  succeeded(): void;
  failed(): void;
  /** The attempt ended without an answer to the question, e.g. because its caller left. */
  abandoned(): void;
}

export interface BreakerOptions {
  /** In a row. */
  failures: number;
  openMs: number;
  now?: () => number;
  /** Called when it opens and when it closes again. */
  onChange?: (isOpen: boolean) => void;
}

/** After some failures in a row the service is left alone for a while; then one call tries. */
export function createBreaker(options: BreakerOptions): Breaker {
  const { failures: allowed, openMs, now = () => performance.now(), onChange } = options;
  let failures = 0;
  let openedAt: number | undefined;
  let isProbing = false;

  return {
    mayTry() {
      if (openedAt === undefined) return true;
      if (isProbing || now() - openedAt < openMs) return false;
      isProbing = true;
      return true;
    },
    succeeded() {
      const wasOpen = openedAt !== undefined;
      failures = 0;
      openedAt = undefined;
      isProbing = false;
      if (wasOpen) onChange?.(false);
    },
    failed() {
      const wasOpen = openedAt !== undefined;
      failures++;
      isProbing = false;
      if (failures < allowed) return;
      openedAt = now();
      if (!wasOpen) onChange?.(true);
    },
    abandoned() {
      isProbing = false;
    },
  };
}
