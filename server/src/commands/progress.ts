const EVERY_MS = 100;

/** Shows how far a command has come, on one line of a terminal that is rewritten. Elsewhere it shows nothing. */
export function showProgress(verb: string): {
  show: (table: string, rows: number) => void;
  end: () => void;
} {
  const { stderr } = process;
  let shownAt = 0;
  return {
    show(table, rows) {
      if (!stderr.isTTY || Date.now() - shownAt < EVERY_MS) return;
      shownAt = Date.now();
      stderr.write(`\r\u001b[K${verb}: ${table}, ${rows.toLocaleString('en')} rows`);
    },
    end() {
      if (shownAt > 0) stderr.write('\r\u001b[K');
      shownAt = 0;
    },
  };
}
