import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { dataOf } from '../harness/clients/envelope.ts';
import {
  beginUpload,
  offsetOf,
  patchBytes,
  TUS,
  waitForCheck,
} from '../harness/clients/uploads.ts';
import { randomFrom } from '../harness/random.ts';
import { useFolder } from '../harness/use-folder.ts';
import { createShared, type Shared } from './cluster.ts';
import { killAll, startServer, startServers, type ServerProcess } from './processes.ts';

const MEBIBYTE = 1024 ** 2;
const DAY_MS = 24 * 3600 * 1000;
const folder = useFolder();
let shared: Shared;
let projectId: string;

const start = () => startServer({ DATABASE_URL: shared.url, DATA_DIR: folder.path });
const as = (server: ServerProcess) => ({ call: server.call, key: shared.org.member.key });
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

beforeAll(async () => {
  shared = await createShared();
  const server = await start();
  const reply = await server.call('POST', '/api/projects', shared.org.owner, { name: 'Raced' });
  projectId = dataOf(reply).id;
  await server.kill('SIGTERM');
});
afterEach(killAll);
afterAll(() => shared.drop());

/** Sends the rest slowly, and never ends if the server is gone. */
async function send(
  server: ServerProcess,
  path: string,
  bytes: Uint8Array,
  offset: number,
  pauseMs = 2,
) {
  let at = offset;
  const body = new ReadableStream({
    async pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, (at += 128 * 1024)));
      await sleep(pauseMs);
    },
  });
  const headers = {
    ...TUS,
    authorization: `Bearer ${shared.org.member.key}`,
    'upload-offset': String(offset),
  };
  const init = { method: 'PATCH', headers, body, duplex: 'half' };
  return fetch(server.origin + path, init as RequestInit).catch(() => undefined);
}

/** What else a client would wait for: the lease of a process that is gone. */
const endLeases = () =>
  shared.db.query('UPDATE file_uploads SET held_until = now() WHERE token IS NOT NULL');

async function download(server: ServerProcess, id: string): Promise<Buffer | number> {
  const response = await fetch(`${server.origin}/api/files/${id}/content`, {
    headers: { authorization: `Bearer ${shared.org.member.key}` },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return response.status === 200 ? bytes : response.status;
}

it('an upload goes on in another process after kill -9, without what was not on the disk', async () => {
  const [first, second] = (await startServers(2, {
    DATABASE_URL: shared.url,
    DATA_DIR: folder.path,
  })) as [ServerProcess, ServerProcess];
  const bytes = randomBytes(40 * MEBIBYTE);
  const { id, path } = await beginUpload(as(first), { projectId, bytes });
  // So slowly that it is noted in between.
  const sending = send(first, path, bytes, 0, 20);
  await expect
    .poll(() => offsetOf(as(second), path), { timeout: 60_000 })
    .toBeGreaterThanOrEqual(8 * MEBIBYTE);
  await first.kill('SIGKILL');
  await sending;
  // The one that is gone still holds it.
  const offset = await offsetOf(as(second), path);
  expect((await patchBytes(as(second), path, offset, bytes.subarray(offset))).status).toBe(409);
  await endLeases();
  expect((await patchBytes(as(second), path, offset, bytes.subarray(offset))).status).toBe(204);
  const file = await waitForCheck(as(second), id);
  expect(file).toMatchObject({ status: 'READY', size: bytes.length, sha256: sha256(bytes) });
  expect(sha256((await download(second, id)) as Buffer)).toBe(sha256(bytes));
});

it('of two writers in two processes, one writes', async () => {
  const servers = (await startServers(2, {
    DATABASE_URL: shared.url,
    DATA_DIR: folder.path,
  })) as [ServerProcess, ServerProcess];
  for (let round = 0; round < 10; round++) {
    const bytes = randomBytes(MEBIBYTE);
    const { id, path } = await beginUpload(as(servers[0]), { projectId, bytes });
    const replies = await Promise.all(
      [0, 1, 2, 3].map((at) => patchBytes(as(servers[at % 2] as ServerProcess), path, 0, bytes)),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      204, 409, 409, 409,
    ]);
    const file = await waitForCheck(as(servers[1]), id);
    expect(file).toMatchObject({ status: 'READY', sha256: sha256(bytes) });
  }
});

it('kill -9 at any time: a READY file has exactly its bytes, and nothing is left of the others', async () => {
  const random = randomFrom(Number(process.env['FILES_SEED'] ?? 1));
  const reading = await start();
  const files = new Map<string, { path: string; bytes: Buffer; isDeleted: boolean }>();
  const over = new AbortController();

  /** Nothing half there is ever served. */
  const readAll = (async () => {
    while (!over.signal.aborted) {
      for (const [id, { bytes }] of files) {
        const got = await download(reading, id);
        if (typeof got === 'number') expect([404, 409]).toContain(got);
        else expect(got.equals(bytes)).toBe(true);
      }
      await sleep(20);
    }
  })();
  // It is awaited in the end.
  readAll.catch(() => {});

  async function upload(server: ServerProcess): Promise<void> {
    const bytes = randomBytes(1 + Math.floor(random() * 12 * MEBIBYTE));
    const begun = await beginUpload(as(server), { projectId, bytes }).catch(() => undefined);
    if (!begun) return;
    files.set(begun.id, { path: begun.path, bytes, isDeleted: false });
    await send(server, begun.path, bytes, 0);
  }

  async function goOn(server: ServerProcess): Promise<void> {
    for (const { path, bytes, isDeleted } of files.values()) {
      if (isDeleted) continue;
      const offset = await offsetOf(as(server), path).catch(() => bytes.length);
      if (offset < bytes.length) await send(server, path, bytes, offset);
    }
  }

  async function deleteSome(server: ServerProcess): Promise<void> {
    for (const [id, file] of files) {
      if (random() > 0.3) continue;
      file.isDeleted = true;
      await server.call('DELETE', `/api/files/${id}`, shared.org.member).catch(() => undefined);
    }
  }

  for (let round = 0; round < 8; round++) {
    const server = await start();
    await endLeases();
    const working = [
      ...Array.from({ length: 3 }, () => upload(server)),
      goOn(server),
      sleep(random() * 300).then(() => deleteSome(server)),
    ];
    await sleep(random() * 900);
    await server.kill('SIGKILL');
    await Promise.allSettled(working);
  }

  await endLeases();
  await shared.db.query('UPDATE jobs SET lease_expires_at = now() WHERE lease_token IS NOT NULL');
  const last = await start();
  // Whose deletion never reached the database is still there, and wanted.
  for (const [id, file] of files) {
    const { status } = await last.call('GET', `/api/files/${id}`, shared.org.member);
    file.isDeleted = status === 404;
  }
  // A statement that a killed process had sent may have taken a lease after that, which ends in 30 seconds.
  await expect
    .poll(
      async () => {
        await goOn(last);
        return shared.db.query(
          `SELECT id FROM files WHERE status = 'UPLOADING' AND id = ANY ($1)`,
          [[...files].flatMap(([id, { isDeleted }]) => (isDeleted ? [] : [id]))],
        );
      },
      { timeout: 60_000, interval: 1_000 },
    )
    .toEqual([]);
  for (const [id, { bytes, isDeleted }] of files) {
    if (isDeleted) continue;
    const file = await waitForCheck(as(last), id);
    expect(file).toMatchObject({ status: 'READY', size: bytes.length, sha256: sha256(bytes) });
    expect(((await download(last, id)) as Buffer).equals(bytes)).toBe(true);
  }
  over.abort();
  await readAll;

  // What processes left without a row is deleted once it is a day old.
  await last.kill('SIGTERM');
  for (const path of storedFiles())
    utimesSync(path, new Date(0), new Date(Date.now() - 3 * DAY_MS));
  const sweeping = await start();
  const named = async () =>
    (
      await shared.db.query<{ key: string }>(
        `SELECT storage_key AS key FROM files WHERE org_id = $1 AND storage_key IS NOT NULL`,
        [shared.org.orgId],
      )
    ).map(({ key }) => join(folder.path, 'files', key));
  await expect
    .poll(async () => storedFiles().toSorted().join(), { timeout: 60_000 })
    .toBe((await named()).toSorted().join());
  const remains = 'SELECT 1 AS one FROM file_remains WHERE delete_at <= now()';
  await expect.poll(() => shared.db.query(remains), { timeout: 60_000 }).toEqual([]);
  await sweeping.kill('SIGTERM');
});

function storedFiles(): string[] {
  return readdirSync(join(folder.path, 'files'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

it('a server that stops keeps what it got, and does not wait for the rest', async () => {
  const server = await start();
  const bytes = randomBytes(20 * MEBIBYTE);
  const { path } = await beginUpload(as(server), { projectId, bytes });
  const sending = send(server, path, bytes, 0, 20);
  await sleep(150);
  const { code } = await server.kill('SIGTERM');
  expect(code).toBe(0);
  await sending;
  const next = await start();
  const offset = await offsetOf(as(next), path);
  expect(offset).toBeGreaterThan(0);
  expect(offset).toBeLessThan(bytes.length);
  expect((await patchBytes(as(next), path, offset, bytes.subarray(offset))).status).toBe(204);
});

it('a full disk says so, keeps what it has acknowledged, and the upload goes on once there is room', async () => {
  const server = await start();
  const bytes = randomBytes(6 * MEBIBYTE);
  const half = 2 * MEBIBYTE;
  const { id, path } = await beginUpload(as(server), { projectId, bytes });
  expect((await patchBytes(as(server), path, 0, bytes.subarray(0, half))).status).toBe(204);
  // No file may be longer: what the disk then says is handled as one that is full.
  const limitFiles = (most: number | 'unlimited') =>
    execFileSync('prlimit', ['--pid', String(server.pid), `--fsize=${most}:unlimited`]);
  limitFiles(3 * MEBIBYTE);
  const refused = await patchBytes(as(server), path, half, bytes.subarray(half));
  expect(refused.status).toBe(500);
  expect(refused.json.error.message).toContain('The storage of this server is full.');
  const kept = await offsetOf(as(server), path);
  expect(kept).toBeGreaterThanOrEqual(half);
  expect(kept).toBeLessThanOrEqual(3 * MEBIBYTE);
  limitFiles('unlimited');
  expect((await patchBytes(as(server), path, kept, bytes.subarray(kept))).status).toBe(204);
  const file = await waitForCheck(as(server), id);
  expect(file).toMatchObject({ status: 'READY', size: bytes.length, sha256: sha256(bytes) });
  expect(((await download(server, id)) as Buffer).equals(bytes)).toBe(true);
});
