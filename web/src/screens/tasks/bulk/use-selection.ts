import type { Task } from '@atrium/sdk';
import { useState } from 'react';

/** Which of the listed tasks are selected. Those that leave the list are no longer. */
export function useSelection(tasks: readonly Task[] | undefined) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  /** Where a range begins. */
  const [anchor, setAnchor] = useState<string>();
  const selected = tasks?.filter(({ id }) => ids.has(id)) ?? [];

  /** Selects it or not. With `isRange`, all from the last one up to it. */
  function toggle(id: string, isRange = false) {
    const order = tasks?.map((task) => task.id) ?? [];
    const [from, to] = [order.indexOf(anchor ?? ''), order.indexOf(id)].toSorted((a, b) => a - b);
    setAnchor(id);
    if (isRange && from !== undefined && to !== undefined && from >= 0) {
      setIds(new Set([...ids, ...order.slice(from, to + 1)]));
      return;
    }
    const next = new Set(ids);
    if (!next.delete(id)) next.add(id);
    setIds(next);
  }

  return {
    selected,
    has: (id: string) => ids.has(id),
    toggle,
    selectAll: () => setIds(new Set(tasks?.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  };
}

export type Selection = ReturnType<typeof useSelection>;
