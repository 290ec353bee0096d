import { useEffect } from 'react';
import { toast } from '../../../ui/layers/toast.tsx';

/** Says that files can't be sent. Without this, a pasted one vanishes and a dropped one replaces the app. */
export function useRefusedFiles(): void {
  useEffect(() => {
    const stopping = new AbortController();
    const { signal } = stopping;
    addEventListener(
      'paste',
      (event) => {
        // Copied from a document, text comes with a picture of it. The text is pasted.
        const { clipboardData } = event;
        if (!clipboardData?.files.length || clipboardData.types.includes('text/plain')) return;
        event.preventDefault();
        refuse();
      },
      { signal },
    );
    addEventListener(
      'dragover',
      (event) => {
        if (hasFiles(event)) event.preventDefault();
      },
      { signal },
    );
    addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        refuse();
      },
      { signal },
    );
    return () => stopping.abort();
  }, []);
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}

function refuse(): void {
  toast('Files aren’t supported yet. Paste the text, or a link to the file.');
}
