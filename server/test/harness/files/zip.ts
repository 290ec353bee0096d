import { constants, crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  data: Buffer;
  /** Instead of `data` deflated. */
  packed?: Buffer;
  /** As if it had a password. */
  isEncrypted?: boolean;
}

/** An archive, whose sizes are what they are said to be unless `packed` says otherwise. */
export function makeZip(entries: Readonly<Record<string, string | Buffer>> | ZipEntry[]): Buffer {
  const list: ZipEntry[] = Array.isArray(entries)
    ? entries
    : Object.entries(entries).map(([name, data]) => ({ name, data: Buffer.from(data) }));
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of list) {
    const packed = entry.packed ?? deflateRawSync(entry.data);
    const name = Buffer.from(entry.name);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(entry.isEncrypted ? 1 : 0, 2);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc32(entry.data), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(entry.data.length, 18);
    about.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from('PK\u0003\u0004'), about, name, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\0'), about, rest, name);
    offset += 4 + about.length + name.length + packed.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(list.length, 4);
  end.writeUInt16LE(list.length, 6);
  end.writeUInt32LE(listing.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listing, Buffer.from('PK\u0005\u0006'), end]);
}

/** Deflated data of any length, without making it: the same megabyte again and again. */
export function repeatedMegabyte(megabyte: Buffer, times: number): Buffer {
  const block = deflateRawSync(megabyte, { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([...Array<Buffer>(times).fill(block), deflateRawSync(Buffer.alloc(0))]);
}
