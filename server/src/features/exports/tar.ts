const BLOCK = 512;
/** What fits into the eleven octal digits that every program reads; larger sizes are binary. */
const MAX_OCTAL = 8 ** 11;

/** The header of a regular file, in the ustar format. */
export function tarHeader(name: string, size: number, modified: Date): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100);
  header.write(octal(0o644, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  writeSize(header, size);
  header.write(octal(Math.floor(modified.getTime() / 1000), 11), 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148, 'latin1');
  return header;
}

/** Fills the last block of a file of this size. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

/** Two empty blocks. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

function writeSize(header: Buffer, size: number): void {
  if (size < MAX_OCTAL) {
    header.write(octal(size, 11), 124);
    return;
  }
  header.writeUInt8(0x80, 124);
  header.writeBigUInt64BE(BigInt(size), 128);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
