const EVERY_MS = 100;

export type ProgressLine = ReturnType<typeof createProgressLine>;

/** Shows how far a command has come, on one line of a terminal that is rewritten. Elsewhere it shows nothing. */
export function createProgressLine() {
  const { stderr } = process;
  let shownAt = 0;
  return {
    show(text: string) {
      if (!stderr.isTTY || Date.now() - shownAt < EVERY_MS) return;
      shownAt = Date.now();
      stderr.write(`\r\u001b[K${text}`);
    },
    end() {
      if (shownAt > 0) stderr.write('\r\u001b[K');
      shownAt = 0;
    },
  };
}
