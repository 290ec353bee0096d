import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { makeDocx, paragraph } from '../server/test/harness/files/office.ts';
import { lines, makeEndlessPdf, makePdf } from '../server/test/harness/files/pdf.ts';
import { makeZip, repeatedMegabyte } from '../server/test/harness/files/zip.ts';
import { makePng, pngChunk } from '../server/test/harness/images.ts';
import { beginFile, callApi, sendBytes, type Uploader } from './transfers.ts';

const MEBIBYTE = 1024 ** 2;

/** Each uploads files of one kind, again and again. */
export const FILE_ATTACKS: Record<string, () => { name: string; bytes: Buffer; isKept: boolean }> =
  {
    'files: zip bombs': () => {
      const packed = repeatedMegabyte(Buffer.alloc(MEBIBYTE), 1024);
      const bytes = makeZip([
        { name: '[Content_Types].xml', data: Buffer.from('<Types/>') },
        { name: 'word/document.xml', data: Buffer.alloc(0), packed },
      ]);
      return { name: 'bomb.docx', bytes, isKept: true };
    },
    'files: pictures of 100 megapixels': () => ({
      name: 'bomb.png',
      bytes: makePng(10_000, 10_000),
      isKept: true,
    }),
    'files: PDFs of 10,000 pages': () => {
      const pages = Array.from({ length: 10_000 }, (_, at) => ({ texts: lines([`Page ${at}`]) }));
      return { name: 'pages.pdf', bytes: makePdf(pages), isKept: true };
    },
    'files: pages that never end': () => ({
      name: 'endless.pdf',
      bytes: makeEndlessPdf('Some text.'),
      isKept: true,
    }),
    'files: noise for OCR': () => ({ name: 'noise.png', bytes: makeNoise(4_000), isKept: true }),
    'files: many small ones': () => ({
      name: 'small.docx',
      bytes: makeDocx(paragraph('Some text.')),
      isKept: true,
    }),
    // They would fill the disk.
    'files: 100 MiB at a time': () => ({
      name: 'large.bin',
      bytes: randomBytes(100 * MEBIBYTE),
      isKept: false,
    }),
  };

/** Something that looks like text everywhere. */
function makeNoise(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = randomBytes((side + 1) * side);
  for (let row = 0; row < side; row++) rows[row * (side + 1)] = 0;
  return Buffer.concat([
    makePng(1, 1).subarray(0, 8),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export async function prepareFileAttack(
  name: string,
  { origin, keys }: { origin: string; keys: readonly string[] },
): Promise<(() => Promise<unknown>) | undefined> {
  const make = FILE_ATTACKS[name];
  if (!make) return undefined;
  const key = keys[0] ?? '';
  const project = { name: 'Files' };
  const { id } = await callApi<{ id: string }>({ origin, key }, 'POST', '/projects', project);
  const { bytes, isKept, ...file } = make();
  let sent = 0;
  return async () => {
    const uploader: Uploader = { origin, key: keys[sent++ % keys.length] ?? '', projectId: id };
    const begun = await beginFile(uploader, { ...file, size: bytes.length });
    await sendBytes(uploader, begun, bytes);
    if (!isKept) await callApi(uploader, 'DELETE', `/files/${begun.id}`);
  };
}
