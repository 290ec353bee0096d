import { useEffect, useRef, useState } from 'react';
import { changeSearch } from '../../../data/search-params.ts';
import { readTaskSearch, type TaskSearch, type TaskSearchChanges } from './search-params.ts';

/**
 * What the address holds, and a function that changes it. The address follows a moment later, so changes count
 * here at once, and each is made to what the last one left behind.
 */
export function useTaskSearch(
  address: object,
  navigate: (search: TaskSearch) => Promise<void>,
): [TaskSearch, (changes: TaskSearchChanges) => void] {
  // The router also passes on what `validateSearch` dropped.
  const inAddress = readTaskSearch({ ...address });
  const [ahead, setAhead] = useState<TaskSearch>();
  const newest = useRef(inAddress);
  const underWay = useRef(0);
  const shown = ahead ?? inAddress;
  useEffect(() => {
    newest.current = shown;
  });
  async function change(changes: TaskSearchChanges) {
    const next = changeSearch(newest.current, changes);
    newest.current = next;
    setAhead(next);
    underWay.current += 1;
    await navigate(next);
    underWay.current -= 1;
    if (underWay.current === 0) setAhead(undefined);
  }
  return [shown, (changes) => void change(changes)];
}
