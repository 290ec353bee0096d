import { useEffect, useRef, useState, type DragEvent } from 'react';
import { toast } from '../../ui/layers/toast.tsx';
import { filesDropped, hasFiles } from './given-files.ts';

/** What is dragged says so several times a second. */
const SILENCE_MS = 500;

/** For an element on which files can be dropped. `isOver` is true while some are held above it. */
export function useDrop(onFiles: (files: File[]) => void, isEnabled = true) {
  const [isOver, note, end] = useHover();
  const target = {
    onDragOver(event: DragEvent) {
      if (!isEnabled || !hasFiles(event)) return;
      event.preventDefault();
      note();
    },
    onDrop(event: DragEvent) {
      end();
      if (!isEnabled || !hasFiles(event)) return;
      event.preventDefault();
      takeDropped(event, onFiles);
    },
  };
  return { isOver, target };
}

export function takeDropped(
  event: Parameters<typeof filesDropped>[0],
  onFiles: (files: File[]) => void,
): void {
  const { files, hasFolders } = filesDropped(event);
  if (hasFolders) toast('Folders can’t be uploaded. Add the files in them, or a zip archive.');
  if (files.length > 0) onFiles(files);
}

/** True until nothing was noted for a moment: leaving an element and entering its children look the same. */
export function useHover(): [isOver: boolean, note: () => void, end: () => void] {
  const [isOver, setOver] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const end = () => {
    clearTimeout(timer.current);
    setOver(false);
  };
  const note = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(end, SILENCE_MS);
    setOver(true);
  };
  return [isOver, note, end];
}
