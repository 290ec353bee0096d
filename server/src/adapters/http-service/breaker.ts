export interface BreakerOptions {
  /** How many failures in a row open the breaker. */
  failures: number;
  openMs: number;
  now?: () => number;
  /** Called when it opens and when it closes. */
  onChange?: (isOpen: boolean) => void;
}

/** After several failures in a row the service gets no calls for a while, then one probe. */
export function createBreaker(options: BreakerOptions) {
  const { failures: allowed, openMs, now = () => performance.now(), onChange } = options;
  let failures = 0;
  let openedAt: number | undefined;
  let isProbing = false;

  return {
    /** False while the service counts as down, except for one caller at a time who probes it. */
    mayTry(): boolean {
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
    /** The attempt says nothing about the service, e.g. because the caller left. */
    abandoned() {
      isProbing = false;
    },
  };
}
