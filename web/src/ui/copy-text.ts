import { toast } from './toast.tsx';

/** Puts it on the clipboard, and says that it did. */
export async function copyText(text: string, done?: string): Promise<boolean> {
  try {
    await write(text);
  } catch {
    toast('The browser did not allow copying. Select the text and copy it by hand.', 'danger');
    return false;
  }
  if (done) toast(done);
  return true;
}

async function write(text: string): Promise<void> {
  // Missing on plain http, but for this machine's own address: there the old way still works.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard) return clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  // oxlint-disable-next-line typescript/no-deprecated -- there is no other on such a page
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('not copied');
}
