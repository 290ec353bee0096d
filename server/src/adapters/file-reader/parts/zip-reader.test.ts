import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { makeZip, repeatedMegabyte, type ZipEntry } from '../../../../test/harness/files/zip.ts';
import { useNewFolder } from '../../../../test/harness/use-folder.ts';
import { openZip, type ZipReader } from './zip-reader.ts';

const LIMITS = { archiveEntries: 100, unpackedBytes: 64 * 1024 ** 2 };
const folder = useNewFolder();
let zip: ZipReader | undefined;

afterEach(async () => {
  await zip?.close();
  zip = undefined;
});

async function opened(bytes: Buffer, limits = LIMITS): Promise<ZipReader> {
  const path = join(folder.path, 'test.zip');
  await writeFile(path, bytes);
  zip = await openZip(path, limits);
  return zip;
}

function bomb(megabytes: number): ZipEntry {
  const data = Buffer.alloc(0);
  return { name: 'bomb', data, packed: repeatedMegabyte(Buffer.alloc(1024 ** 2), megabytes) };
}

describe('openZip', () => {
  it('reads entries by name, and nothing by a name that is not there', async () => {
    const archive = await opened(makeZip({ 'a/b.xml': 'one', '../../x': 'two' }));
    expect(archive.names()).toEqual(['a/b.xml', '../../x']);
    expect(String(await archive.readAll('a/b.xml'))).toBe('one');
    expect(await archive.readAll('x')).toBeUndefined();
  });

  it('reads what was stored without packing, and sizes in the extra field', async () => {
    const stored = makeZip([
      { name: 'a', data: Buffer.from('plain'), packed: Buffer.from('plain') },
    ]);
    for (const at of [8, stored.indexOf('PK\u0001\u0002') + 10]) stored.writeUInt16LE(0, at);
    expect(String(await (await opened(stored)).readAll('a'))).toBe('plain');
  });

  it('takes the first of two entries of the same name', async () => {
    const data = [Buffer.from('first'), Buffer.from('second')];
    const archive = await opened(makeZip(data.map((data) => ({ name: 'a', data }))));
    expect(String(await archive.readAll('a'))).toBe('first');
  });

  it('stops unpacking a gigabyte of zeros after some megabytes', async () => {
    const archive = await opened(makeZip([bomb(1024)]));
    let unpacked = 0;
    const read = async () => {
      for await (const chunk of archive.read('bomb')) unpacked += chunk.length;
    };
    await expect(read()).rejects.toThrow('too large when it is unpacked');
    expect(unpacked).toBeLessThan(40 * 1024 ** 2);
  });

  it('stops at the limit for all entries together', async () => {
    const data = Buffer.alloc(600_000, 'ab');
    const entries = ['a', 'b'].map((name) => ({ name, data }));
    const archive = await opened(makeZip(entries), { ...LIMITS, unpackedBytes: 1_000_000 });
    await archive.readAll('a');
    await expect(archive.readAll('b')).rejects.toThrow('too large when it is unpacked');
  });

  it('refuses an archive of too many entries', async () => {
    const names = Array.from({ length: 101 }, (_, index) => [`f${index}`, ''] as const);
    await expect(opened(makeZip(Object.fromEntries(names)))).rejects.toThrow('too many parts');
  });

  it('says that an entry needs a password', async () => {
    const archive = await opened(
      makeZip([{ name: 'a', data: Buffer.from('x'), isEncrypted: true }]),
    );
    await expect(archive.readAll('a')).rejects.toThrow('protected with a password');
  });

  it('says that a file is damaged: cut off anywhere, or with wrong data', async () => {
    const whole = makeZip({ 'a.xml': 'text '.repeat(1000) });
    for (const length of [1, 30, whole.length - 30, whole.length - 1]) {
      await expect(opened(whole.subarray(0, length))).rejects.toThrow('damaged');
    }
    const packed = deflateRawSync(Buffer.from('text')).fill(0xff, 0, 2);
    const archive = await opened(makeZip([{ name: 'a', data: Buffer.from('text'), packed }]));
    await expect(archive.readAll('a')).rejects.toThrow('damaged');
  });

  it('says that an empty file is empty', async () => {
    await expect(opened(Buffer.alloc(0))).rejects.toThrow('empty');
  });
});
