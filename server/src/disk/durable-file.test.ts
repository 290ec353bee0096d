import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restoreDisk } from '../../test/race/power-cut/disk.ts';
import { randomFrom } from '../../test/harness/random.ts';
import { useNewFolder } from '../../test/harness/use-folder.ts';
import { Recorder } from '../../test/race/power-cut/recorder.ts';
import { readConfig } from '../config/config.ts';
import { createFolderMailer } from '../adapters/mail/folder.ts';
import { loadSecretsKeys } from '../adapters/secrets/secrets-key.ts';
import { lockFolder } from '../db/engines/folder-lock.ts';
import { makeFolder, writeDurably } from './durable-file.ts';

const SEEDS = 8;

const root = useNewFolder();

/** Every file that could be found at `path` after a power cut: before the work is done, and after it. */
async function contentsAfterCuts(path: string, work: (dataDir: string) => Promise<unknown>) {
  const recorder = new Recorder(root.path);
  try {
    await work(join(root.path, 'data'));
  } finally {
    recorder.stop();
  }
  const contents = { during: new Set<string>(), after: new Set<string>() };
  const disk = `${root.path}-disk`;
  for (let at = 0; at <= recorder.events.length; at++) {
    for (let seed = 0; seed < SEEDS; seed++) {
      restoreDisk(recorder, { at }, randomFrom(at * SEEDS + seed), disk);
      const isDone = at === recorder.events.length;
      contents[isDone ? 'after' : 'during'].add(readAny(join(disk, 'data', path)));
      await rm(disk, { recursive: true });
    }
  }
  return contents;
}

/** The content of a file, or of the one file in a folder. */
function readAny(path: string): string {
  if (!existsSync(path)) return 'none';
  if (!path.endsWith('/')) return readFileSync(path, 'utf8');
  const name = readdirSync(path).find((entry) => !entry.endsWith('.tmp'));
  return name === undefined ? 'none' : readFileSync(join(path, name), 'utf8');
}

describe('after a power cut', () => {
  it('a replaced file has its old content or the new one, and the new one once it is written', async () => {
    const { during, after } = await contentsAfterCuts('file', async (dataDir) => {
      await makeFolder(dataDir);
      await writeDurably(join(dataDir, 'file'), 'old');
      await writeDurably(join(dataDir, 'file'), 'new');
    });
    expect(during).toEqual(new Set(['none', 'old', 'new']));
    expect(after).toEqual(new Set(['new']));
  });

  it('the secrets key is whole or missing, and there once the server has it', async () => {
    let key = '';
    const { during, after } = await contentsAfterCuts('secrets-key', async (dataDir) => {
      const [made] = await loadSecretsKeys(readConfig({ DATA_DIR: dataDir }));
      key = `${made.toString('base64')}\n`;
    });
    expect(during).toEqual(new Set(['none', key]));
    expect(after).toEqual(new Set([key]));
  });

  it('the lock is whole or missing', async () => {
    const { during, after } = await contentsAfterCuts('lock', async (dataDir) => {
      await makeFolder(dataDir);
      await lockFolder(dataDir);
    });
    expect(during.size).toBe(2);
    expect([...after].map((text) => JSON.parse(text))).toMatchObject([{ pid: process.pid }]);
  });

  it('an email is whole or missing, and there once it is sent', async () => {
    const mail = { to: 'bob@example.org', subject: 's', text: 't', html: 'h', messageId: 'm' };
    const from = { name: 'Atrium', address: 'atrium@localhost' };
    const { during, after } = await contentsAfterCuts('mail/', (dataDir) =>
      createFolderMailer({ folder: join(dataDir, 'mail'), from, print: () => {} }).send(mail),
    );
    expect(during.size).toBe(2);
    expect([...after]).toEqual([expect.stringContaining('bob@example.org')]);
  });
});
