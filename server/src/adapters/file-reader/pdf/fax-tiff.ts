/** An image as fax machines send it. */
export interface FaxImage {
  data: Buffer;
  width: number;
  height: number;
  /** Less than zero: group 4. Zero: group 3 in one dimension. More: in two. */
  k: number;
  isBlackOne: boolean;
}

const SHORT = 3;
const LONG = 4;
const HEADER = 8;
const FIELD = 12;

/** The same data as a TIFF, which knows these ways of packing too. */
export function faxTiff({ data, width, height, k }: FaxImage): Buffer {
  const isGroup4 = k < 0;
  const fields: [tag: number, type: number, value: number][] = [
    [256, LONG, width],
    [257, LONG, height],
    [258, SHORT, 1],
    [259, SHORT, isGroup4 ? 4 : 3],
    // White is zero.
    [262, SHORT, 0],
    [273, LONG, 0],
    [277, SHORT, 1],
    [278, LONG, height],
    [279, LONG, data.length],
    [isGroup4 ? 293 : 292, LONG, !isGroup4 && k > 0 ? 1 : 0],
  ];
  const directory = Buffer.alloc(HEADER + 2 + fields.length * FIELD + 4);
  directory.write('II', 0, 'latin1');
  directory.writeUInt16LE(42, 2);
  directory.writeUInt32LE(HEADER, 4);
  directory.writeUInt16LE(fields.length, HEADER);
  for (const [index, [tag, type, value]] of fields.entries()) {
    const at = HEADER + 2 + index * FIELD;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(1, at + 4);
    const shown = tag === 273 ? directory.length : value;
    if (type === SHORT) directory.writeUInt16LE(shown, at + 8);
    else directory.writeUInt32LE(shown, at + 8);
  }
  return Buffer.concat([directory, data]);
}
