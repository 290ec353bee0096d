import { toast } from '../layers/toast.tsx';

/** Copies the text to the clipboard, and says so if `done` is given. */
export async function copyText(text: string, done?: string): Promise<boolean> {
  try {
    await write(text);
  } catch {
    toast('The browser blocked copying. Select the text and copy it yourself.', 'danger');
    return false;
  }
  if (done) toast(done);
  return true;
}

async function write(text: string): Promise<void> {
  // Missing on plain http, except on localhost. The old way still works there.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard) return clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  // oxlint-disable-next-line typescript/no-deprecated -- plain http has no alternative
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('not copied');
}
