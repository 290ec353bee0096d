import { existsSync, readdirSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { dataOf } from '../../../../test/harness/clients/envelope.ts';
import {
  beginUpload,
  patchBytes,
  uploadFile,
  waitForCheck,
} from '../../../../test/harness/clients/uploads.ts';
import { createTestDatabase } from '../../../../test/harness/databases/database.ts';
import { createTestOrg, type TestOrg } from '../../../../test/harness/factories.ts';
import { startTestServer, type TestServer } from '../../../../test/harness/processes/server.ts';
import { createCaller } from '../../../../test/harness/clients/client.ts';
import { useStarted } from '../../../../test/harness/processes/use-started.ts';
import { useFolder } from '../../../../test/harness/use-folder.ts';

const folder = useFolder();
const database = useStarted(createTestDatabase, (one) => one.drop());
const bytes = Buffer.from('What we agreed.\n');
let org: TestOrg;
let projectId: string;

/** Maintenance runs at the start. */
async function withServer<T>(work: (server: TestServer) => Promise<T>): Promise<T> {
  const env = { DATA_DIR: folder.path };
  const server = await startTestServer({ shared: database, worker: true, env });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

const as = ({ origin }: TestServer) => ({ call: createCaller(origin), key: org.member.key });
const age = (set: string, id: string) =>
  database.db.query(`UPDATE ${set} WHERE org_id = $1 AND $2 IN (id, '')`, [org.orgId, id]);
const idsOfFiles = async () =>
  (
    await database.db.query<{ id: string }>('SELECT id FROM files WHERE org_id = $1', [org.orgId])
  ).map(({ id }) => id);
const stored = () => readdirSync(join(folder.path, 'files', org.orgId));

beforeEach(async () => {
  org = await createTestOrg(database.db);
  projectId = await withServer(async (server) => {
    const reply = await as(server).call('POST', '/api/projects', org.owner, { name: 'p' });
    return dataOf(reply).id;
  });
});

describe('maintenance', () => {
  it('deletes files that nothing used for long, with their bytes, and keeps the others', async () => {
    const [kept, unused] = await withServer(async (server) => {
      const me = as(server);
      const files = [];
      for (const name of ['kept.txt', 'unused.txt']) {
        const { id } = await uploadFile(me, { projectId, bytes, name });
        files.push((await waitForCheck(me, id)).id as string);
      }
      const shared = { isShared: true };
      await me.call('PATCH', `/api/files/${files[0]}`, org.member, shared);
      return files as [string, string];
    });
    const rows = await database.db.query<{ id: string; isDue: boolean | null }>(
      `SELECT id, purge_at > now() + interval '23 hours' AS "isDue" FROM files WHERE org_id = $1
       ORDER BY position`,
      [org.orgId],
    );
    expect(rows).toEqual([
      { id: kept, isDue: null },
      { id: unused, isDue: true },
    ]);
    expect(stored()).toHaveLength(2);
    await age('files SET purge_at = now()', unused);
    await withServer(async () => {
      await expect.poll(idsOfFiles).toEqual([kept]);
    });
    expect(stored()).toHaveLength(1);
  });

  it('gives a file a week when it is no longer shared', async () => {
    const { id } = await withServer(async (server) => {
      const me = as(server);
      const file = await uploadFile(me, { projectId, bytes });
      for (const isShared of [true, false]) {
        await me.call('PATCH', `/api/files/${file.id}`, org.member, { isShared });
      }
      return file;
    });
    const [row] = await database.db.query<{ days: number }>(
      `SELECT round(extract(epoch FROM purge_at - now()) / 86400)::int AS days FROM files WHERE id = $1`,
      [id],
    );
    expect(row?.days).toBe(7);
  });

  it('deletes uploads that were given up', async () => {
    const { id } = await withServer(async (server) => {
      const upload = await beginUpload(as(server), { projectId, bytes });
      await patchBytes(as(server), upload.path, 0, bytes.subarray(0, 5));
      return upload;
    });
    expect(existsSync(join(folder.path, 'files/uploads', org.orgId))).toBe(true);
    await age(`files SET created_at = now() - interval '25 hours', purge_at = NULL`, id);
    await database.db.query('UPDATE file_uploads SET expires_at = now() WHERE file_id = $1', [id]);
    await withServer(async () => {
      await expect.poll(idsOfFiles).toEqual([]);
    });
    expect(readdirSync(join(folder.path, 'files/uploads', org.orgId))).toEqual([]);
  });

  it('makes the file of an upload whose process died with the last byte', async () => {
    const { id, path } = await withServer(async (server) => {
      const upload = await beginUpload(as(server), { projectId, bytes });
      await patchBytes(as(server), upload.path, 0, bytes.subarray(0, 5));
      return upload;
    });
    const part = readdirSync(join(folder.path, 'files/uploads', org.orgId))[0] ?? '';
    await writeFile(join(folder.path, 'files/uploads', org.orgId, part), bytes);
    await database.db.query(
      `UPDATE file_uploads SET received = $2, token = 'gone', held_until = now() WHERE file_id = $1`,
      [id, bytes.length],
    );
    await withServer(async (server) => {
      expect(await waitForCheck(as(server), id)).toMatchObject({ status: 'READY' });
      const content = await as(server).call('GET', `/api/files/${id}/content`, org.member);
      expect(content.text).toBe(bytes.toString());
      expect((await patchBytes(as(server), path, 5, bytes.subarray(5))).status).toBe(409);
    });
  });

  it('deletes bytes that no row names once they are a day old', async () => {
    await mkdir(join(folder.path, 'files', org.orgId), { recursive: true });
    const day = 24 * 3600 * 1000;
    for (const [name, days] of [
      ['old', 2],
      ['new', 0],
    ] as const) {
      const file = join(folder.path, 'files', org.orgId, name);
      await writeFile(file, bytes);
      await utimes(file, new Date(), new Date(Date.now() - days * day));
    }
    await withServer(async () => {
      await expect.poll(stored).toEqual(['new']);
    });
  });

  it('deletes temporary copies of processes that died, once nobody can need them', async () => {
    const spool = join(folder.path, 'spool');
    await mkdir(spool, { recursive: true });
    for (const [name, days] of [
      ['file-old', 3],
      ['file-new', 1],
    ] as const) {
      await writeFile(join(spool, name), bytes);
      await utimes(join(spool, name), new Date(), new Date(Date.now() - days * 24 * 3600 * 1000));
    }
    await withServer(async () => {
      await expect.poll(() => readdirSync(spool)).toEqual(['file-new']);
    });
  });
});
