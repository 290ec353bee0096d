import { useEffect } from 'react';
import { toast } from '../../../ui/layers/toast.tsx';

/** Says that files can't be sent. Without this, a pasted one vanishes and a dropped one replaces the app. */
export function useRefusedFiles(): void {
  useEffect(() => {
    const stopping = new AbortController();
    const { signal } = stopping;
    addEventListener('paste', refusePasted, { signal });
    addEventListener('dragover', refuseDragged, { signal });
    addEventListener('drop', refuseDragged, { signal });
    return () => stopping.abort();
  }, []);
}

function refusePasted(event: ClipboardEvent): void {
  // Copied from a document, text comes with a picture of it. The text is pasted.
  const { clipboardData } = event;
  if (clipboardData?.files.length && !clipboardData.types.includes('text/plain')) refuse(event);
}

function refuseDragged(event: DragEvent): void {
  if (!event.dataTransfer?.types.includes('Files')) return;
  if (event.type === 'drop') refuse(event);
  // Otherwise there is no drop to refuse.
  else event.preventDefault();
}

function refuse(event: Event): void {
  event.preventDefault();
  toast('Files aren’t supported yet. Paste the text, or a link to the file.');
}
