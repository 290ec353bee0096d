import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { useNewFolder } from '../../../test/harness/use-folder.ts';
import { ConfigError, readConfig } from '../../config/config.ts';
import { loadSecretsKeys } from './secrets-key.ts';

const folder = useNewFolder();
let dataDir: string;

beforeEach(() => void (dataDir = join(folder.path, 'data')));

const load = (env: Record<string, string> = {}) =>
  loadSecretsKeys(readConfig({ DATA_DIR: dataDir, ...env }));

describe('the secrets key', () => {
  it('is the configured one, and no file is created', async () => {
    const key = Buffer.alloc(32, 7);
    expect(await load({ SECRETS_KEY: key.toString('hex') })).toEqual([key]);
    const external = { DATABASE_URL: 'postgres://localhost/x' };
    expect(await load({ SECRETS_KEY: key.toString('base64'), ...external })).toEqual([key]);
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('is created in the data folder on first use, readable only by its owner, and kept', async () => {
    const [key, ...others] = await load();
    expect([key.length, others]).toEqual([32, []]);
    expect(await load()).toEqual([key]);
    expect(await readdir(dataDir)).toEqual(['secrets-key']);
    const file = join(dataDir, 'secrets-key');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect(await readFile(file, 'utf8')).toBe(`${key.toString('base64')}\n`);
  });

  it('is the same for concurrent starts', async () => {
    const keys = await Promise.all(Array.from({ length: 50 }, () => load()));
    expect(new Set(keys.map(([key]) => key.toString('hex'))).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['secrets-key']);
  });

  it('is required with an external database, and the error says how to create one', async () => {
    const loading = load({ DATABASE_URL: 'postgres://localhost/x' });
    await expect(loading).rejects.toThrow(ConfigError);
    await expect(loading).rejects.toThrow(/^SECRETS_KEY: [^\n]*openssl rand -base64 32[^\n]*$/);
  });

  it('is the first of several, in the variable or on a line of the file', async () => {
    const [next, old] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const texts = [next.toString('base64'), old.toString('hex')];
    expect(await load({ SECRETS_KEY: texts.join(', ') })).toEqual([next, old]);
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'secrets-key'), `${texts.join('\n')}\n\n`);
    expect(await load()).toEqual([next, old]);
  });

  it('is not replaced if its file is malformed, and the error does not quote it', async () => {
    await mkdir(dataDir);
    const file = join(dataDir, 'secrets-key');
    const good = Buffer.alloc(32, 1).toString('base64');
    for (const content of ['', 'hunter2', 'x'.repeat(64), `${good}\nhunter2\n`]) {
      await writeFile(file, content);
      await expect(load()).rejects.toThrow(/^SECRETS_KEY: (?!.*hunter2)[^\n]*backup[^\n]*$/);
      expect(await readFile(file, 'utf8')).toBe(content);
    }
  });

  it('reports that its file cannot be read', async () => {
    await mkdir(join(dataDir, 'secrets-key'), { recursive: true });
    await expect(load()).rejects.toThrow(/^DATA_DIR: [^\n]*EISDIR[^\n]*$/);
  });

  it.skipIf(process.getuid?.() === 0)(
    'reports that it lacks permission to read its file',
    async () => {
      await load();
      await chmod(join(dataDir, 'secrets-key'), 0);
      await expect(load()).rejects.toThrow(/^DATA_DIR: [^\n]*EACCES[^\n]*$/);
    },
  );
});
