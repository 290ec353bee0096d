import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCaller } from '../harness/clients/client.ts';
import { dataOf } from '../harness/clients/envelope.ts';
import {
  beginUpload,
  offsetOf,
  patchBytes,
  putBytes,
  waitForCheck,
  type Uploader,
} from '../harness/clients/uploads.ts';
import { openPostgres } from '../../src/db/engines/postgres.ts';
import { killAll, startBehind, type ServerProcess } from '../race/processes.ts';
import { THIS_VERSION } from './installation.ts';
import { createOrgs } from './places.ts';
import { startPostgresPair, type PostgresPair } from './postgres-pair.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

const MEBIBYTE = 1024 ** 2;
const DISK_MEGABYTES = 64;

let folder: string;
let pair: PostgresPair;
let disk: SmallDisk;
let server: ServerProcess;
let me: Uploader;
let projectId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-disk-'));
  await chmod(folder, 0o777);
  [pair, disk] = await Promise.all([startPostgresPair(), mountSmallDisk(folder, DISK_MEGABYTES)]);
  const url = `postgres://atrium@127.0.0.1:${pair.primary.port}/postgres`;
  const env = { DATABASE_URL: url, DATA_DIR: folder };
  server = await startBehind(disk.enter, env);
  const look = async (work: (db: ReturnType<typeof openPostgres>) => Promise<unknown>) => {
    const db = openPostgres({ url, poolMax: 1, onError: () => {} });
    try {
      await work(db);
    } finally {
      await db.close();
    }
  };
  const [key = ''] = await createOrgs({ main: THIS_VERSION, env: { DATABASE_URL: url }, look }, 1);
  me = { call: createCaller(server.origin), key };
  projectId = dataOf(
    await me.call('POST', '/api/projects', { key, body: { name: 'Files' } }),
    201,
  ).id;
});
afterAll(async () => {
  await killAll();
  await disk?.remove();
  await pair?.stop();
  await rm(folder, { recursive: true, force: true });
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const problemOf = (reply: { json: { error: { message: string } } }) => reply.json.error.message;

it('an upload that meets a full disk says so, keeps what it acknowledged, and goes on when there is room', async () => {
  const bytes = randomBytes(40 * MEBIBYTE);
  const { id, path } = await beginUpload(me, { projectId, bytes });
  const first = 10 * MEBIBYTE;
  expect((await patchBytes(me, path, 0, bytes.subarray(0, first))).status).toBe(204);
  // There is room for some of the rest, but not for all of it.
  await disk.run(['sh', '-c', 'head -c 34000000 /dev/zero > "$0"', join(folder, 'filler')]);

  for (const attempt of [1, 2]) {
    const offset = await offsetOf(me, path);
    expect(offset).toBeGreaterThanOrEqual(first);
    const refused = await patchBytes(me, path, offset, bytes.subarray(offset));
    expect(refused.status, `attempt ${attempt}: ${refused.text}`).toBe(500);
    expect(problemOf(refused)).toMatch(/^The storage of this server is full/);
  }
  // Others are told as clearly, and what needs no room works.
  const other = await beginUpload(me, { projectId, bytes });
  const whole = await putBytes(me, other.path, bytes);
  expect(problemOf(whole)).toMatch(/^The storage of this server is full/);
  const deleted = await me.call('DELETE', `/api/files/${other.id}`, { key: me.key ?? '' });
  expect(deleted.status).toBe(204);

  await disk.empty();
  const offset = await offsetOf(me, path);
  expect(offset).toBeGreaterThanOrEqual(first);
  expect(offset).toBeLessThan(bytes.length);
  expect((await patchBytes(me, path, offset, bytes.subarray(offset))).status).toBe(204);
  const file = await waitForCheck(me, id);
  expect(file).toMatchObject({ status: 'READY', size: bytes.length, sha256: sha256(bytes) });
  const content = await fetch(`${server.origin}/api/files/${id}/content`, {
    headers: { authorization: `Bearer ${me.key}` },
  });
  expect(sha256(Buffer.from(await content.arrayBuffer()))).toBe(sha256(bytes));
});
