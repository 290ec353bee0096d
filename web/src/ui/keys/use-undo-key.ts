import { useEffect, useRef } from 'react';
import { takesLetters } from './takes-keys.ts';

/** Ctrl+Z or ⌘Z takes back what was done last, except in text, where it takes back what was typed. */
export function useUndoKey(undo: () => void): void {
  const latest = useRef(undo);
  useEffect(() => void (latest.current = undo));
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isCommand = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!isCommand || event.key.toLowerCase() !== 'z' || event.defaultPrevented) return;
      const isText = takesLetters(event.target) && !isCheckbox(event.target);
      if (isText || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

function isCheckbox(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === 'checkbox';
}
