import type { Logger } from 'pino';

const TOUCH_EVERY_MS = 60_000;
const MOST_REMEMBERED = 10_000;

export interface LastUse {
  /** Records that a row was used now, at most once a minute for each id. */
  note(id: string, lastUsedAt: Date | null): void;
  /** Lets a statement finish on its own; a failure is only logged. */
  write(statement: Promise<void>): void;
  /** Waits for the writes that are still running. */
  settle(): Promise<void>;
}

/** Records when keys and sessions were last used. No request waits for it, and it is outside their transactions. */
export function createLastUse(log: Logger, touch: (id: string) => Promise<void>): LastUse {
  const touched = new Map<string, number>();
  const writing = new Set<Promise<void>>();

  function write(statement: Promise<void>): void {
    const written = statement
      .catch((error: unknown) => log.warn({ err: error }, 'could not record last use'))
      .finally(() => writing.delete(written));
    writing.add(written);
  }

  return {
    write,
    note(id, lastUsedAt) {
      const now = Date.now();
      const last = Math.max(lastUsedAt?.getTime() ?? 0, touched.get(id) ?? 0);
      if (now - last < TOUCH_EVERY_MS) return;
      if (touched.size > MOST_REMEMBERED) touched.clear();
      touched.set(id, now);
      write(touch(id));
    },
    async settle() {
      await Promise.all(writing);
    },
  };
}
