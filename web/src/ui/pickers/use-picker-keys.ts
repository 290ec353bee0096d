import { useEffect, useRef, useState } from 'react';
import { singleKeys } from '../../data/device/single-keys.ts';
import { takesLetters } from '../keys/takes-keys.ts';

/**
 * Lets single keys open a page's pickers: `{ s: 'status' }`. Returns the name of the one that is open, and gives
 * each picker its `open`, `onOpenChange` and `shortcut`.
 */
export function usePickerKeys<Name extends string>(
  names: Readonly<Record<string, Name>>,
  isEnabled = true,
) {
  const [openName, setOpen] = useState<Name>();
  const latest = useRef({ names, isEnabled });
  useEffect(() => {
    latest.current = { names, isEnabled };
  });
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const { key, target, ctrlKey, metaKey, altKey, shiftKey, isComposing } = event;
      if (event.defaultPrevented || ctrlKey || metaKey || altKey || shiftKey || isComposing) return;
      if (!latest.current.isEnabled || !singleKeys.getState() || takesLetters(target)) return;
      if (document.querySelector('dialog[open], [data-picker]')) return;
      const name = latest.current.names[key];
      if (name === undefined) return;
      event.preventDefault();
      setOpen(name);
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  const bind = (name: Name) => ({
    open: openName === name,
    onOpenChange: (isOpen: boolean) => setOpen(isOpen ? name : undefined),
    shortcut: Object.keys(names)
      .find((key) => names[key] === name)
      ?.toUpperCase(),
  });
  return { openName, bind };
}
