import { useMutation } from '@tanstack/react-query';
import { toast } from '../layers/toast.tsx';

/** Saves a file from the API. A link can't do this: it doesn't send the header that names the organisation. */
export function useDownload(fileName: string, start: () => Promise<ReadableStream<Uint8Array>>) {
  return useMutation({
    // The browser moves a large blob to disk.
    mutationFn: async () => save(await new Response(await start()).blob(), fileName),
    onSuccess: () => toast('Export downloaded'),
  });
}

function save(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser has the blob by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
