import { deflateSync } from 'node:zlib';
import type { ReaderLimits } from '../limits.ts';
import { sharp } from '../pictures/sharp-safe.ts';
import { faxTiff, type FaxImage } from './fax-tiff.ts';

const FILTER = '/CCITTFaxDecode';
/** Dictionaries of images are shorter. */
const LONGEST_DICTIONARY = 2000;
const OBJECT = /(\d{1,8})\s+(\d{1,5})\s+obj\b/g;

/**
 * Many scanners pack pages as fax machines do, which pdfjs here can't read and sharp can. These images are packed
 * in another way and appended, as programs do that change a PDF.
 */
export async function withFaxImages(pdf: Buffer, limits: ReaderLimits): Promise<Uint8Array> {
  if (!pdf.includes(FILTER) || pdf.includes('/Encrypt')) return pdf;
  const end = endOf(pdf);
  if (!end) return pdf;
  const parts: Buffer[] = [pdf];
  const places: { id: string; at: number }[] = [];
  let length = pdf.length;
  for (let at = pdf.indexOf(FILTER); at !== -1; at = pdf.indexOf(FILTER, at + FILTER.length)) {
    const found = imageAt(pdf, at);
    const image = found && (await repack(found, limits));
    if (!found || !image) continue;
    places.push({ id: found.id, at: length + 1 });
    parts.push(image);
    length += image.length;
  }
  if (places.length === 0) return pdf;
  const rows = places.map(({ id, at }) => `${id} 1\n${String(at).padStart(10, '0')} 00000 n \n`);
  const trailer = `trailer\n<< /Size ${end.size} /Root ${end.root} /Prev ${end.at} >>`;
  parts.push(Buffer.from(`\nxref\n${rows.join('')}${trailer}\nstartxref\n${length + 1}\n%%EOF\n`));
  return Buffer.concat(parts);
}

interface FoundImage extends FaxImage {
  id: string;
  dictionary: string;
}

function imageAt(pdf: Buffer, at: number): FoundImage | undefined {
  const before = pdf.toString('latin1', Math.max(0, at - LONGEST_DICTIONARY), at);
  const object = [...before.matchAll(OBJECT)].at(-1);
  if (!object) return undefined;
  const from = at - before.length + object.index + object[0].length;
  const stream = pdf.indexOf('stream', at);
  if (stream === -1 || stream - from > 2 * LONGEST_DICTIONARY) return undefined;
  const dictionary = pdf.toString('latin1', from, stream);
  const start = stream + 'stream'.length + (pdf[stream + 6] === 0x0d ? 2 : 1);
  const number = (name: string) => {
    const value = new RegExp(`/${name}\\s+(-?\\d+)(?!\\s+\\d+\\s+R)`).exec(dictionary)?.[1];
    return value === undefined ? undefined : Number(value);
  };
  const isTrue = (name: string) => new RegExp(`/${name}\\s+true`).test(dictionary);
  const width = number('Width');
  const height = number('Height');
  const isKnown = width === (number('Columns') ?? 1728) && height !== undefined;
  // Parameters elsewhere, or several filters one after the other, are rare.
  const isSimple =
    /\/Filter\s*\[?\s*\/CCITTFaxDecode/.test(dictionary) && !/Parms\s+\d/.test(dictionary);
  if (!isKnown || !isSimple || isTrue('EncodedByteAlign')) return undefined;
  const own = number('Length');
  const end = own === undefined ? pdf.indexOf('endstream', start) : start + own;
  const data = pdf.subarray(start, end === -1 ? pdf.length : end);
  const isBlackOne = isTrue('BlackIs1');
  return { id: object[1] ?? '', dictionary, data, width, height, k: number('K') ?? 0, isBlackOne };
}

async function repack(image: FoundImage, limits: ReaderLimits): Promise<Buffer | undefined> {
  if (image.width * image.height > limits.pixels) return undefined;
  const options = { limitInputPixels: limits.pixels, failOn: 'none' as const };
  const grey = await sharp(faxTiff(image), options)
    .greyscale()
    .raw()
    .toBuffer()
    .catch(() => undefined);
  if (grey?.length !== image.width * image.height) return undefined;
  const data = deflateSync(bitsOf(grey, image), { level: 1 });
  const dictionary = image.dictionary
    .replace(/\/Filter\s*\[?\s*\/CCITTFaxDecode\s*\]?/, '/Filter /FlateDecode')
    .replace(/\/DecodeParms\s*\[?\s*<<[^>]*>>\s*\]?/, '')
    .replace(/\/Length\s+\d+(?:\s+\d+\s+R)?/, `/Length ${data.length}`);
  const head = Buffer.from(`\n${image.id} 0 obj ${dictionary}stream\n`, 'latin1');
  return Buffer.concat([head, data, Buffer.from('\nendstream\nendobj\n')]);
}

/** Eight pixels a byte, each row on its own: white is 1, unless black is. */
function bitsOf(grey: Buffer, { width, height, isBlackOne }: FaxImage): Buffer {
  const stride = Math.ceil(width / 8);
  const bits = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isWhite = (grey[y * width + x] ?? 0) > 127;
      if (isWhite === isBlackOne) continue;
      const at = y * stride + (x >> 3);
      bits[at] = (bits[at] ?? 0) | (0x80 >> (x & 7));
    }
  }
  return bits;
}

const TAIL = 2048;

/** Where the last table of objects is, and what it says. */
function endOf(pdf: Buffer): { at: number; size: string; root: string } | undefined {
  const tail = pdf.toString('latin1', Math.max(0, pdf.length - TAIL));
  const at = Number([...tail.matchAll(/startxref\s+(\d{1,12})/g)].at(-1)?.[1] ?? -1);
  if (at < 0 || at >= pdf.length) return undefined;
  // A table has its trailer behind it. A stream of objects says it itself.
  const isTable = pdf.toString('latin1', at, at + 4) === 'xref';
  const from = isTable ? pdf.indexOf('trailer', at) : at;
  const trailer = from === -1 ? '' : pdf.toString('latin1', from, from + TAIL);
  const size = /\/Size\s+(\d+)/.exec(trailer)?.[1];
  const root = /\/Root\s+(\d+\s+\d+\s+R)/.exec(trailer)?.[1];
  return size !== undefined && root !== undefined ? { at, size, root } : undefined;
}
