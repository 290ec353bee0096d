const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** Beginnings of names in the archives of office programs. */
const PARTS: readonly (readonly [string, string])[] = [
  ['word/', `${OFFICE}.wordprocessingml.document`],
  ['xl/', `${OFFICE}.spreadsheetml.sheet`],
  ['ppt/', `${OFFICE}.presentationml.presentation`],
];

/** What may be in the first entry, `mimetype`, of OpenDocument files and of books. */
const STATED =
  /^(application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation|graphics)|application\/epub\+zip)/;

/** The media type of a zip archive, by what is in it. */
export function zipTypeOf(head: Buffer, tail: Buffer): string {
  const stated = statedType(head);
  if (stated !== undefined) return stated;
  const names = [...namesIn(head, LOCAL_HEADER, 26, 30), ...namesIn(tail, CENTRAL_HEADER, 28, 46)];
  if (!names.includes('[Content_Types].xml')) return 'application/zip';
  const part = PARTS.find(([prefix]) => names.some((name) => name.startsWith(prefix)));
  return part?.[1] ?? 'application/zip';
}

const LOCAL_HEADER = 'PK\u0003\u0004';
const CENTRAL_HEADER = 'PK\u0001\u0002';

function statedType(head: Buffer): string | undefined {
  const nameLength = head.length < 30 ? 0 : head.readUInt16LE(26);
  if (head.toString('latin1', 30, 30 + nameLength) !== 'mimetype') return undefined;
  const from = 30 + nameLength + head.readUInt16LE(28);
  return STATED.exec(head.toString('latin1', from, from + 100))?.[1];
}

function namesIn(bytes: Buffer, signature: string, lengthAt: number, nameAt: number): string[] {
  const names: string[] = [];
  for (let at = bytes.indexOf(signature, 0, 'latin1'); at >= 0;) {
    if (at + nameAt > bytes.length) break;
    const length = bytes.readUInt16LE(at + lengthAt);
    names.push(bytes.toString('latin1', at + nameAt, at + nameAt + length));
    at = bytes.indexOf(signature, at + nameAt, 'latin1');
  }
  return names;
}
