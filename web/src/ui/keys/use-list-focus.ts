import { useEffect, useRef, useState } from 'react';

/**
 * For a list whose entries are changed in dialogs. The button that opened one may be gone after the change,
 * so focus moves to the list.
 */
export function useListFocus() {
  const list = useRef<HTMLDivElement>(null);
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    if (changes > 0) list.current?.focus();
  }, [changes]);
  return { list, focusList: () => setChanges(changes + 1) };
}
