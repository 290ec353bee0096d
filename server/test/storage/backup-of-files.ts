import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { FileStorage } from '../../src/adapters/storage/storage.ts';
import { archiveText } from '../../src/backup/archive-text.ts';
import type { FileTotals } from '../../src/backup/create-backup.ts';
import { parseHeader } from '../../src/backup/format.ts';
import { restoreBackup } from '../../src/backup/restore-backup.ts';
import { restoreFile, type RestoredFiles } from '../../src/backup/restore-files.ts';
import { bytesOf } from '../../src/commands/bytes-of.ts';
import { newId } from '../../src/core/ids.ts';
import type { Database } from '../../src/db/types.ts';
import { createTestDatabase, ENGINE, type TestDatabase } from '../harness/databases/database.ts';
import { createEmptyDatabase } from '../harness/databases/empty-database.ts';
import { createTestOrg } from '../harness/factories.ts';
import { useFolder } from '../harness/use-folder.ts';

/** The same for every storage: `open` gives one under this name, which is empty. */
export function backsUpFiles(open: (name: string) => FileStorage): void {
  const folder = useFolder();
  let source: TestDatabase;
  let storage: FileStorage;
  let orgId: string;
  let projectId: string;
  let names = 0;
  const opened: FileStorage[] = [];
  const openNew = () => {
    const made = open(`storage-${++names}`);
    opened.push(made);
    return made;
  };

  beforeAll(async () => {
    source = await createTestDatabase();
  });
  afterAll(async () => {
    await source.drop();
    await Promise.all(opened.map((one) => one.close()));
  });
  beforeEach(async () => {
    storage = openNew();
    await source.db.query('DELETE FROM files');
    const org = await createTestOrg(source.db);
    ({ orgId } = org);
    projectId = newId();
    await source.db.query(
      `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
       VALUES ($1, $2, $2, 'Files', '{}', 'ORG', $3)`,
      [orgId, projectId, org.owner.userId],
    );
  });

  async function addFile(content: Buffer, sha256 = hashOf(content)): Promise<string> {
    const id = newId();
    const key = `${orgId}/${id}`;
    await storage.write(key, once(content), content.length);
    await source.db.query(
      `INSERT INTO files (org_id, id, project_id, name, media_type, size, sha256, status, storage_key)
       VALUES ($1, $2, $3, 'a.bin', 'application/octet-stream', $4, $5, 'READY', $6)`,
      [orgId, id, projectId, content.length, sha256, key],
    );
    return key;
  }

  async function backUp(meanwhile: () => Promise<void> = async () => {}) {
    const files: FileTotals = { count: 0, bytes: 0, missing: 0, damaged: [] };
    const text: string[] = [];
    const spoolFolder = join(folder.path, 'spool');
    const parts = { totals: {}, files, source: bytesOf(storage), spoolFolder, progress: () => {} };
    for await (const part of archiveText(source.db, parts)) {
      text.push(part.toString());
      await meanwhile();
    }
    return { lines: text.join('').split('\n').slice(0, -1), files };
  }

  async function restore(db: Database, lines: readonly string[], target: FileStorage) {
    const files: RestoredFiles = { count: 0, bytes: 0, kept: 0 };
    const rest = (async function* () {
      yield* lines.slice(1);
    })();
    const header = parseHeader(lines[0]);
    await restoreBackup(
      db,
      header,
      rest,
      () => {},
      (section, next) => restoreFile(section, next, bytesOf(target), files),
    );
    return files;
  }

  async function inNewDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const target = await createEmptyDatabase(ENGINE);
    try {
      return await work(target.db);
    } finally {
      await target.drop();
    }
  }

  it('restores exactly the bytes', async () => {
    const contents = [randomBytes(1), randomBytes(300_000), randomBytes(6_000_000)];
    const keys: string[] = [];
    for (const content of contents) keys.push(await addFile(content));
    const { lines, files } = await backUp();
    const bytes = contents.reduce((sum, { length }) => sum + length, 0);
    expect(files).toEqual({ count: 3, bytes, missing: 0, damaged: [] });
    const target = openNew();
    await inNewDatabase(async (db) => {
      expect(await restore(db, lines, target)).toEqual({ count: 3, bytes, kept: 0 });
      expect(await db.query('SELECT 1 FROM files')).toHaveLength(3);
    });
    for (const [at, key] of keys.entries()) {
      expect(await contentOf(target, key)).toEqual(contents[at]);
    }
  });

  it('goes on where a restore broke off, and writes nothing twice', async () => {
    for (let made = 0; made < 3; made++) await addFile(randomBytes(200_000));
    const { lines } = await backUp();
    const target = openNew();
    const lastEnd = lines.findLastIndex((line) => line.startsWith('{"bytes"'));
    await inNewDatabase(async (db) => {
      const cut = restore(db, lines.slice(0, lastEnd), target);
      await expect(cut).rejects.toThrow('not followed by their checksum');
      expect(await keysOf(target)).toHaveLength(2);
      expect(await restore(db, lines, target)).toMatchObject({ count: 3, kept: 2 });
    });
    expect(await keysOf(target)).toHaveLength(3);
  });

  it('writes again what is there but is not the same', async () => {
    const content = randomBytes(1_000);
    const key = await addFile(content);
    const { lines } = await backUp();
    const target = openNew();
    await target.write(key, once(randomBytes(1_000)), 1_000);
    const found = await inNewDatabase((db) => restore(db, lines, target));
    expect(found).toMatchObject({ count: 1, kept: 0 });
    expect(await contentOf(target, key)).toEqual(content);
  });

  it('refuses changed bytes, and leaves the database empty', async () => {
    await addFile(Buffer.alloc(1_000, 'a'));
    const { lines } = await backUp();
    const changed = lines.map((line) => (line.startsWith('=') ? line.replace('Y', 'Z') : line));
    await inNewDatabase(async (db) => {
      const failing = restore(db, changed, openNew());
      await expect(failing).rejects.toThrow('the checksum of a file does not match');
      expect(await db.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
    });
  });

  it('a file that is deleted meanwhile is no failure', async () => {
    const keys = [await addFile(randomBytes(50_000)), await addFile(randomBytes(50_000))];
    let isDone = false;
    const { lines, files } = await backUp(async () => {
      if (isDone) return;
      isDone = true;
      for (const key of keys) await storage.delete(key);
    });
    expect(files).toMatchObject({ count: 0, missing: 2 });
    const found = await inNewDatabase((db) => restore(db, lines, openNew()));
    expect(found).toEqual({ count: 0, bytes: 0, kept: 0 });
  });

  it('names a file that is not as it was uploaded, and restores what there is', async () => {
    const content = randomBytes(10_000);
    const key = await addFile(content, hashOf(randomBytes(1)));
    const { lines, files } = await backUp();
    expect(files.damaged).toEqual([key]);
    const target = openNew();
    await inNewDatabase((db) => restore(db, lines, target));
    expect(await contentOf(target, key)).toEqual(content);
  });
}

const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

async function contentOf(storage: FileStorage, key: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await storage.read(key)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function keysOf(storage: FileStorage): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list()) keys.push(key);
  return keys;
}
