/**
 * Does one thing at a time per key. If it is asked for again meanwhile, it is done once more afterwards,
 * however often it was asked.
 */
export function createTurns() {
  const running = new Map<string, { again: boolean }>();
  return {
    /** Resolves when it is done, or at once if somebody else's turn does it. */
    async take(key: string, run: () => Promise<unknown>): Promise<void> {
      const turn = running.get(key);
      if (turn) turn.again = true;
      else await repeat(key, run);
    },
  };

  async function repeat(key: string, run: () => Promise<unknown>): Promise<void> {
    const turn = { again: true };
    running.set(key, turn);
    try {
      while (turn.again) {
        turn.again = false;
        await run();
      }
    } finally {
      running.delete(key);
    }
  }
}
