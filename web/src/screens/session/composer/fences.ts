const OPENS = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const BARE = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

/** The marker of the code block that is still open at the end of a text. */
export function findOpenFence(text: string): string | undefined {
  let open: string | undefined;
  for (const line of text.split('\n')) {
    if (open === undefined) open = OPENS.exec(line)?.[1];
    else if (BARE.exec(line)?.[1]?.startsWith(open)) open = undefined;
  }
  return open;
}

/** Without a fence at the very end that opens a block with nothing in it. */
export function dropEmptyBlock(text: string): string {
  const before = text.slice(0, text.lastIndexOf('\n') + 1);
  const isOpener = findOpenFence(text) !== undefined && findOpenFence(before) === undefined;
  return isOpener && BARE.test(text.slice(before.length)) ? before : text;
}
