import { gunzipSync } from 'node:zlib';

/** The files of a .tar.gz, by name. Checks what a reader relies on: sums, sizes and the end. */
export function untar(bytes: Uint8Array): Map<string, string> {
  const tar = gunzipSync(bytes);
  const files = new Map<string, string>();
  let at = 0;
  for (;;) {
    const header = tar.subarray(at, at + 512);
    if (header.length < 512) throw new Error('the archive has no end');
    if (header.every((byte) => byte === 0)) return files;
    const sum = Number.parseInt(text(header, 148, 8), 8);
    const blank = Buffer.from(header).fill(' ', 148, 156);
    if (blank.reduce((total, byte) => total + byte, 0) !== sum) throw new Error('wrong checksum');
    const size = Number.parseInt(text(header, 124, 12), 8);
    files.set(text(header, 0, 100), tar.toString('utf8', at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

/** The records of each file, by the file's name without its ending. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read records of every shape
export function readExport(bytes: Uint8Array): Record<string, any[]> {
  return Object.fromEntries(
    [...untar(bytes)]
      .filter(([name]) => name.endsWith('.jsonl'))
      .map(([name, lines]) => [
        name.replace(/\.jsonl$/, ''),
        lines
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
      ]),
  );
}

function text(header: Buffer, start: number, length: number): string {
  return header.toString('latin1', start, start + length).replace(/[\0 ]+$/, '');
}
