import type { Page } from 'playwright-core';

interface GivenFile {
  name: string;
  type: string;
  content: Buffer;
}

/** Drops files on an element, or pastes them there, as a person does. */
export async function giveFiles(
  page: Page,
  how: 'drop' | 'paste',
  selector: string,
  files: readonly GivenFile[],
): Promise<void> {
  const packed = files.map(({ name, type, content }) => ({
    name,
    type,
    content: content.toString('base64'),
  }));
  await page.evaluate(`{
    const transfer = new DataTransfer();
    for (const { name, type, content } of ${JSON.stringify(packed)}) {
      const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type }));
    }
    const target = document.querySelector(${JSON.stringify(selector)});
    const init = { bubbles: true, cancelable: true };
    const events = ${JSON.stringify(how)} === 'drop'
      ? ['dragover', 'drop'].map((type) => new DragEvent(type, { ...init, dataTransfer: transfer }))
      : [new ClipboardEvent('paste', { ...init, clipboardData: transfer })];
    for (const event of events) target.dispatchEvent(event);
  }`);
}

/** Chooses files with the button that asks for them. */
export async function chooseFiles(
  page: Page,
  button: string,
  files: readonly GivenFile[],
): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button, exact: true }).first().click();
  const list = files.map(({ name, type, content }) => ({ name, mimeType: type, buffer: content }));
  await (await chooser).setFiles(list);
}
