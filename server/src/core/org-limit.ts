/** Runs `work` once the org has fewer than the most under way. */
export type OrgLimit = <T>(orgId: string, work: () => Promise<T>) => Promise<T>;

/** Bounds how much of one kind of work an org has under way in this process, so that others find room. */
export function createOrgLimit(most: number): OrgLimit {
  interface Line {
    running: number;
    waiting: (() => void)[];
  }
  const lines = new Map<string, Line>();
  return async (orgId, work) => {
    const line = lines.get(orgId) ?? { running: 0, waiting: [] };
    lines.set(orgId, line);
    if (line.running === most) {
      // Whoever ends passes on the place, so the number stays the same.
      await new Promise<void>((resolve) => line.waiting.push(resolve));
    } else line.running++;
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else if (--line.running === 0) lines.delete(orgId);
    }
  };
}
