import { useEffect, useRef, type RefObject } from 'react';
import { toast } from '../../../ui/layers/toast.tsx';
import { filesPasted, hasFiles } from '../../../shared/files/given-files.ts';
import { takeDropped, useHover } from '../../../shared/files/use-drop.ts';
import { takesLetters } from '../../../ui/keys/takes-keys.ts';
import { findComposer } from './composers.ts';

/**
 * Gives a composer what is pasted or dropped anywhere in its pane. True while files are held above it. Without
 * this, a dropped file would replace the app.
 */
export function useGivenFiles(
  area: RefObject<HTMLTextAreaElement | null>,
  onFiles: (files: File[]) => void,
): boolean {
  const [isOver, note, end] = useHover();
  const take = useRef({ onFiles, note, end });
  useEffect(() => {
    take.current = { onFiles, note, end };
  });
  useEffect(() => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const isHere = ({ target, defaultPrevented }: Event) =>
      !defaultPrevented && area.current !== null && findComposer(target) === area.current;
    addEventListener(
      'paste',
      (event) => {
        // Not while something else is written, such as an earlier message.
        if (!isHere(event) || isWrittenElsewhere(event.target, area.current)) return;
        const files = filesPasted(event);
        if (files.length === 0) return;
        event.preventDefault();
        take.current.onFiles(files);
      },
      { signal },
    );
    addEventListener(
      'dragover',
      (event) => {
        if (!hasFiles(event) || !isHere(event)) return;
        event.preventDefault();
        take.current.note();
      },
      { signal },
    );
    addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event) || !isHere(event)) return;
        event.preventDefault();
        take.current.end();
        takeDropped(event, (files) => take.current.onFiles(files));
      },
      { signal },
    );
    return () => stopping.abort();
  }, [area]);
  return isOver;
}

function isWrittenElsewhere(target: EventTarget | null, area: HTMLElement | null): boolean {
  return target !== area && target instanceof Element && takesLetters(target);
}

/** Where nobody can write, a dropped file does nothing, and says so. */
export function useRefusedFiles(isRefused: boolean): void {
  useEffect(() => {
    if (!isRefused) return undefined;
    const stopping = new AbortController();
    const refuse = (event: DragEvent) => {
      if (event.defaultPrevented || !hasFiles(event)) return;
      event.preventDefault();
      if (event.type === 'drop') toast('Nobody can add anything here: it is archived.');
    };
    addEventListener('dragover', refuse, stopping);
    addEventListener('drop', refuse, stopping);
    return () => stopping.abort();
  }, [isRefused]);
}
