import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PART_BYTES } from '../../src/adapters/storage/s3-part.ts';
import { createS3Storage } from '../../src/adapters/storage/s3-storage.ts';
import { createCaller } from '../harness/clients/client.ts';
import { dataOf } from '../harness/clients/envelope.ts';
import {
  beginUpload,
  offsetOf,
  patchBytes,
  putBytes,
  waitForCheck,
} from '../harness/clients/uploads.ts';
import { createTestDatabase, type TestDatabase } from '../harness/databases/database.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { S3_PROGRAM, startS3Server } from '../harness/outside/s3-server.ts';
import { startTestServer, type TestServer } from '../harness/processes/server.ts';
import { useStarted } from '../harness/processes/use-started.ts';

describe.skipIf(S3_PROGRAM === undefined)('two servers with files on an S3 service', () => {
  const s3 = useStarted(startS3Server, (started) => started.close());
  let shared: TestDatabase;
  let servers: TestServer[];
  let org: TestOrg;
  let projectId: string;

  beforeAll(async () => {
    shared = await createTestDatabase();
    const env = {
      FILES_S3_ENDPOINT: s3.config.endpoint,
      FILES_S3_BUCKET: s3.config.bucket,
      FILES_S3_ACCESS_KEY: s3.config.accessKeyId,
      FILES_S3_SECRET_KEY: s3.config.secretAccessKey,
      FILES_S3_PREFIX: 'atrium/',
    };
    servers = [
      await startTestServer({ shared, env, worker: true }),
      await startTestServer({ shared, env }),
    ];
    org = await createTestOrg(shared.db);
    const body = { name: 'Files' };
    const made = await at(0).call('POST', '/api/projects', { key: org.owner.key, body });
    projectId = dataOf(made).id;
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await shared.drop();
  });

  const at = (which: number) => ({
    call: createCaller(servers[which % 2]?.origin ?? ''),
    key: org.member.key,
  });
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

  async function contentOf(id: string, range?: string) {
    const reply = await fetch(`${servers[1]?.origin}/api/files/${id}/content`, {
      headers: { authorization: `Bearer ${org.member.key}`, ...(range !== undefined && { range }) },
    });
    expect(reply.status).toBe(range === undefined ? 200 : 206);
    return Buffer.from(await reply.arrayBuffer());
  }

  async function keys(): Promise<string[]> {
    const storage = createS3Storage({ ...s3.config, prefix: 'atrium/' });
    const found: string[] = [];
    for await (const { key } of storage.list()) found.push(key);
    await storage.close();
    return found;
  }

  it('200: an upload in pieces goes on at the other server each time, and has exactly its bytes', async () => {
    const bytes = randomBytes(PART_BYTES + 3_000_000);
    const { id, path } = await beginUpload(at(0), { projectId, bytes });
    s3.fail('PUT', { status: 503, code: 'SlowDown' }, 2);
    for (let offset = 0, turn = 1; offset < bytes.length; turn++) {
      expect(await offsetOf(at(turn), path)).toBe(offset);
      const piece = bytes.subarray(offset, offset + 1_900_000);
      const reply = await patchBytes(at(turn), path, offset, piece);
      expect(reply.status, reply.text).toBe(204);
      offset += piece.length;
    }
    const file = await waitForCheck(at(0), id);
    expect(file).toMatchObject({ status: 'READY', size: bytes.length, sha256: sha256(bytes) });
    expect(sha256(await contentOf(id))).toBe(sha256(bytes));
    const part = await contentOf(id, `bytes=${PART_BYTES - 5}-${PART_BYTES + 4}`);
    expect(part).toEqual(bytes.subarray(PART_BYTES - 5, PART_BYTES + 5));
    expect(await keys()).toHaveLength(1);
    await at(1).call('DELETE', `/api/files/${id}`, { key: org.member.key });
    expect(await keys()).toEqual([]);
  });

  it('500: a service that is down loses nothing that was acknowledged', async () => {
    const bytes = randomBytes(2_000_000);
    const { id, path } = await beginUpload(at(0), { projectId, bytes });
    expect((await patchBytes(at(0), path, 0, bytes.subarray(0, 500_000))).status).toBe(204);
    s3.fail('PUT', { status: 503, code: 'ServiceUnavailable' }, 5);
    const refused = await patchBytes(at(0), path, 500_000, bytes.subarray(500_000));
    expect(refused.status, refused.text).toBe(500);
    expect(refused.text).not.toContain(s3.config.endpoint);
    expect(await offsetOf(at(1), path)).toBe(500_000);
    expect((await patchBytes(at(1), path, 500_000, bytes.subarray(500_000))).status).toBe(204);
    expect(await waitForCheck(at(0), id)).toMatchObject({ sha256: sha256(bytes) });
  });

  it('500: a service that is full says so, and one that is slow is waited for', async () => {
    const bytes = randomBytes(1_000_000);
    const { id, path } = await beginUpload(at(0), { projectId, bytes });
    s3.fail('PUT', { status: 507, code: 'XMinioStorageFull' });
    const refused = await patchBytes(at(0), path, 0, bytes);
    expect(refused.status).toBe(500);
    expect(refused.json.error.message).toContain('The storage of this server is full.');
    expect(await offsetOf(at(1), path)).toBe(0);
    s3.fail('PUT', { status: 503, code: 'SlowDown', retryAfter: '1' });
    expect((await patchBytes(at(1), path, 0, bytes)).status).toBe(204);
    expect(await waitForCheck(at(0), id)).toMatchObject({ sha256: sha256(bytes) });
    s3.fail('GET', { status: 503, code: 'ServiceUnavailable' }, 5);
    const unread = await at(1).call('GET', `/api/files/${id}/content`, { key: org.member.key });
    expect(unread.status).toBe(500);
    expect(unread.json.error.message).toContain('The storage of this server cannot be reached.');
    expect(sha256(await contentOf(id))).toBe(sha256(bytes));
  });

  it('an upload whose answer is lost in the end is finished once, and leaves nothing else', async () => {
    const before = await keys();
    const bytes = randomBytes(1_000);
    const { id, path } = await beginUpload(at(0), { projectId, bytes });
    s3.fail('PUT', 'lose answer', 2);
    expect((await putBytes(at(0), path, bytes)).status).toBe(200);
    expect(await waitForCheck(at(0), id)).toMatchObject({ sha256: sha256(bytes) });
    expect(await keys()).toHaveLength(before.length + 1);
  });
});
