import { posix } from 'node:path';
import type { ReaderLimits } from '../limits.ts';
import { parseXml } from '../parts/xml-reader.ts';
import { openZip, type ZipReader } from '../parts/zip-reader.ts';
import { REASONS, Unreadable } from '../reasons.ts';
import { readStart } from './encoding.ts';

/** Opens an archive for as long as its text is read. */
export async function openPackage(path: string, limits: ReaderLimits): Promise<ZipReader> {
  try {
    return await openZip(path, limits);
  } catch (error) {
    throw (await reasonInOldContainer(path)) ?? error;
  }
}

const OLD_CONTAINER = 0xd0_cf_11_e0;
const LOOKED_AT = 4 * 1024 ** 2;

/** Office keeps an encrypted document in the container of its older formats. */
async function reasonInOldContainer(path: string): Promise<Unreadable | undefined> {
  const { bytes } = await readStart(path, LOOKED_AT);
  if (bytes.length < 4 || bytes.readUInt32BE(0) !== OLD_CONTAINER) return undefined;
  const isEncrypted = bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'));
  return new Unreadable(isEncrypted ? REASONS.password : REASONS.otherType);
}

export interface Relation {
  id: string;
  type: string;
  /** The name of an entry. */
  target: string;
}

/** What a part refers to. Parts outside the archive are left out. */
export async function relationsOf(zip: ZipReader, part: string): Promise<Relation[]> {
  const folder = posix.dirname(part);
  const rels = part === '' ? '_rels/.rels' : `${folder}/_rels/${posix.basename(part)}.rels`;
  const bytes = await zip.readAll(rels.replace(/^\.\//, ''));
  const relations: Relation[] = [];
  if (!bytes) return relations;
  parseXml(bytes, {
    open(name, attributes) {
      if (name !== 'Relationship' || attributes.get('TargetMode') === 'External') return;
      const target = attributes.get('Target') ?? '';
      relations.push({
        id: attributes.get('Id') ?? '',
        type: attributes.get('Type')?.split('/').at(-1) ?? '',
        target: entryName(part === '' ? '' : folder, target),
      });
    },
  });
  return relations;
}

/** The part that the package is about. */
export async function mainPart(zip: ZipReader, usual: string): Promise<string> {
  const relations = await relationsOf(zip, '');
  const name = relations.find(({ type }) => type === 'officeDocument')?.target ?? usual;
  if (!zip.has(name)) throw new Unreadable(isOther(zip) ? REASONS.otherType : REASONS.damaged);
  return name;
}

/** An archive with other things in it. */
function isOther(zip: ZipReader): boolean {
  return !zip.has('[Content_Types].xml');
}

export function entryName(folder: string, target: string): string {
  const path = target.startsWith('/') ? target : posix.join('/', folder, target);
  return posix.normalize(path).slice(1);
}

export function headingLine(level: number, text: string): string {
  return `${'#'.repeat(Math.min(Math.max(level, 1), 6))} ${text.replaceAll(/\s+/g, ' ').trim()}`;
}
