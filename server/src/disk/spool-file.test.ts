import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { useNewFolder } from '../../test/harness/use-folder.ts';
import { deleteCopiesBefore, fillSpool, newCopyPath, openSpool, readSpool } from './spool-file.ts';

const folder = useNewFolder();
const spoolFolder = () => join(folder.path, 'spool');

async function* of(...pieces: (Uint8Array | string)[]) {
  yield* pieces;
}

it('what is written is read again', async () => {
  const spool = await openSpool(spoolFolder());
  const long = Buffer.alloc(200_000, 'long ');
  const size = await fillSpool(spool, of('text ä, ', long));
  const pieces = [];
  for await (const piece of readSpool(spool, size)) pieces.push(piece);
  await spool.close();
  expect(Buffer.concat(pieces).equals(Buffer.concat([Buffer.from('text ä, '), long]))).toBe(true);
});

it('nothing is left after kill -9', async () => {
  const program = `
    import { fillSpool, openSpool } from ${JSON.stringify(import.meta.resolve('./spool-file.ts'))};
    const endless = async function* () {
      yield Buffer.alloc(1024 ** 2);
      process.stdout.write('filled');
      await new Promise((resolve) => setTimeout(resolve, 2 ** 30));
    };
    await fillSpool(await openSpool(process.argv[1]), endless());`;
  const args = ['--input-type=module', '--eval', program, spoolFolder()];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(readdirSync(spoolFolder())).toEqual([]);
});

it('copies with a name are deleted once they are old, and nothing else is', async () => {
  const paths = [await newCopyPath(spoolFolder()), await newCopyPath(spoolFolder())];
  const [old = '', young = ''] = paths;
  for (const path of [...paths, join(spoolFolder(), 'other')]) await writeFile(path, 'bytes');
  await utimes(old, 0, 0);
  await utimes(join(spoolFolder(), 'other'), 0, 0);
  expect(await deleteCopiesBefore(spoolFolder(), new Date(Date.now() - 60_000))).toBe(1);
  expect(readdirSync(spoolFolder()).toSorted()).toEqual([basename(young), 'other'].toSorted());
  expect(await deleteCopiesBefore(join(folder.path, 'missing'), new Date())).toBe(0);
});
