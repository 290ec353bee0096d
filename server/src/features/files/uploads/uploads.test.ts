import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signIn } from '../../../../test/harness/clients/browser.ts';
import { dataOf } from '../../../../test/harness/clients/envelope.ts';
import { connectRaw, head } from '../../../../test/harness/clients/raw-http.ts';
import {
  beginUpload,
  offsetOf,
  patchBytes,
  putBytes,
  TUS,
  waitForCheck,
} from '../../../../test/harness/clients/uploads.ts';
import { addPerson, keyWithScopes } from '../../../../test/harness/factories.ts';
import { useServerWithOrg } from '../../../../test/harness/processes/use-test-org.ts';

const { server, call, org } = useServerWithOrg({
  worker: true,
  slowSenderLimits: {
    headersTimeout: 1_000,
    requestTimeout: 1_000,
    connectionsCheckingInterval: 50,
  },
});
const as = ({ key }: { key: string }) => ({ call, key });
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const MEBIBYTE = 1024 ** 2;

async function createProject(body: object = {}): Promise<string> {
  const reply = await call('POST', '/api/projects', org.owner, {
    name: `Project ${Math.random()}`,
    ...body,
  });
  return dataOf(reply).id;
}

async function begin(bytes: Uint8Array) {
  const projectId = await createProject();
  return { ...(await beginUpload(as(org.member), { projectId, bytes })), projectId };
}

describe('PUT of all bytes', () => {
  it('200: they are the file, exactly', async () => {
    const bytes = randomBytes(3 * MEBIBYTE + 17);
    const { id, path } = await begin(bytes);
    const put = await putBytes(as(org.member), path, bytes);
    expect(put.status).toBe(200);
    expect(put.json.data).toMatchObject({ id, status: 'CHECKING', size: bytes.length });
    const file = await waitForCheck(as(org.member), id);
    expect(file).toMatchObject({ status: 'READY', size: bytes.length, sha256: sha256(bytes) });
    const content = await fetch(`${server.origin}/api/files/${id}/content`, {
      headers: { authorization: `Bearer ${org.member.key}` },
    });
    expect(sha256(Buffer.from(await content.arrayBuffer()))).toBe(sha256(bytes));
  });

  it('400: more or fewer bytes than announced, known before or only in the end', async () => {
    const bytes = Buffer.alloc(1000, 'a');
    const { path } = await begin(bytes);
    for (const length of [999, 1001]) {
      const wrong = Buffer.alloc(length, 'b');
      const reply = await putBytes(as(org.member), path, wrong);
      expect(reply.status).toBe(400);
      expect(reply.json.error.details.errors[0]).toMatchObject({ code: 'wrong_length' });
      const chunked = await fetch(server.origin + path, {
        method: 'PUT',
        headers: { authorization: `Bearer ${org.member.key}` },
        body: new Blob([wrong]).stream(),
        duplex: 'half',
      });
      expect(chunked.status).toBe(400);
    }
    expect(await offsetOf(as(org.member), path)).toBe(0);
    expect((await putBytes(as(org.member), path, bytes)).status).toBe(200);
  });

  it('409: all bytes are there already', async () => {
    const bytes = Buffer.from('x');
    const { path } = await begin(bytes);
    await putBytes(as(org.member), path, bytes);
    const again = await putBytes(as(org.member), path, bytes);
    expect(again.status).toBe(409);
    expect(again.json.error.details.reason).toBe('upload_conflict');
  });

  it('200: from a page, with its cookie, and 403 from another site', async () => {
    const bytes = Buffer.from('from a page');
    const projectId = await createProject();
    const browser = await signIn(server, org.member.email);
    const { path } = await beginUpload(browser, { projectId, bytes });
    const foreign = await browser.call('PUT', path, {
      body: bytes,
      headers: { origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
    expect((await putBytes(browser, path, bytes)).status).toBe(200);
  });
});

describe('tus', () => {
  it('204: OPTIONS says what is offered, to anyone', async () => {
    const { path } = await begin(Buffer.from('x'));
    const reply = await call('OPTIONS', path);
    expect(reply.status).toBe(204);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'tus-version': '1.0.0',
      'tus-extension': 'checksum,expiration,termination',
      'tus-max-size': String(100 * MEBIBYTE),
    });
  });

  it('204: piece by piece; HEAD says where it is, and the last piece makes the file', async () => {
    const bytes = randomBytes(100_000);
    const { id, path } = await begin(bytes);
    const me = as(org.member);
    expect(await offsetOf(me, path)).toBe(0);
    const first = await patchBytes(me, path, 0, bytes.subarray(0, 40_000));
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '40000']);
    expect(Date.parse(first.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now());
    expect(await offsetOf(me, path)).toBe(40_000);
    expect((await patchBytes(me, path, 40_000, bytes.subarray(40_000))).status).toBe(204);
    expect(await offsetOf(me, path)).toBe(100_000);
    expect(await waitForCheck(me, id)).toMatchObject({ status: 'READY', sha256: sha256(bytes) });
  });

  it('409: the offset is another, and it is named', async () => {
    const bytes = Buffer.alloc(10, 'a');
    const { path } = await begin(bytes);
    await patchBytes(as(org.member), path, 0, bytes.subarray(0, 5));
    for (const offset of [0, 4, 6, 10]) {
      const reply = await patchBytes(as(org.member), path, offset, bytes.subarray(0, 1));
      expect(reply.status).toBe(409);
      expect(reply.json.error.details).toEqual({ reason: 'upload_conflict', offset: 5 });
    }
  });

  it('400: another version, type or offset, more bytes than there is room for', async () => {
    const bytes = Buffer.alloc(10, 'a');
    const { path } = await begin(bytes);
    const me = as(org.member);
    const wrong: [string, Record<string, string>][] = [
      ['header.tus-resumable', { 'tus-resumable': '0.2.2' }],
      ['header.content-type', { 'content-type': 'application/octet-stream' }],
      ['header.upload-offset', { 'upload-offset': '-1' }],
      ['header.upload-checksum', { 'upload-checksum': 'crc32 AAAA' }],
    ];
    for (const [location, headers] of wrong) {
      const reply = await patchBytes(me, path, 0, bytes, headers);
      expect(reply.status, location).toBe(400);
      expect(reply.json.error.details.errors[0].location).toBe(location);
    }
    expect((await patchBytes(me, path, 0, Buffer.alloc(11))).status).toBe(400);
    expect(await offsetOf(me, path)).toBe(0);
    const reply = await call('HEAD', path, { key: org.member.key });
    expect(reply.status).toBe(400);
  });

  it('400: a piece with another checksum counts for nothing, and 204 for the right one', async () => {
    const bytes = randomBytes(10_000);
    const { id, path } = await begin(bytes);
    const me = as(org.member);
    const checksum = (algorithm: string, of: Uint8Array) => ({
      'upload-checksum': `${algorithm} ${createHash(algorithm).update(of).digest('base64')}`,
    });
    const broken = Buffer.from(bytes);
    broken[5000] = (broken[5000] ?? 0) ^ 1;
    const wrong = await patchBytes(me, path, 0, broken, checksum('sha1', bytes));
    expect(wrong.status).toBe(400);
    expect(wrong.json.error.details.errors[0].code).toBe('checksum_mismatch');
    expect(await offsetOf(me, path)).toBe(0);
    for (const [from, algorithm] of [
      [0, 'sha1'],
      [5000, 'sha256'],
    ] as const) {
      const piece = bytes.subarray(from, from + 5000);
      expect((await patchBytes(me, path, from, piece, checksum(algorithm, piece))).status).toBe(
        204,
      );
    }
    expect(await waitForCheck(me, id)).toMatchObject({ sha256: sha256(bytes) });
  });

  it('204: DELETE ends it, and nothing is left', async () => {
    const bytes = Buffer.alloc(10, 'a');
    const { id, path } = await begin(bytes);
    await patchBytes(as(org.member), path, 0, bytes.subarray(0, 5));
    const ended = await call('DELETE', path, { key: org.member.key, headers: TUS });
    expect(ended.status).toBe(204);
    expect((await call('GET', `/api/files/${id}`, org.member)).status).toBe(404);
    expect((await patchBytes(as(org.member), path, 5, bytes.subarray(5))).status).toBe(404);
    const left = await server.db.query('SELECT 1 AS one FROM file_remains WHERE org_id = $1', [
      org.orgId,
    ]);
    expect(left).toEqual([]);
  });
});

describe('who may send bytes', () => {
  it('404: only whoever began it, and only for a day', async () => {
    const bytes = Buffer.from('mine');
    const { id, path } = await begin(bytes);
    const other = await addPerson(server.db, org.orgId, 'MEMBER');
    for (const person of [org.owner, other]) {
      expect((await putBytes(as(person), path, bytes)).status).toBe(404);
      expect((await call('HEAD', path, { key: person.key, headers: TUS })).status).toBe(404);
      expect((await call('DELETE', path, { key: person.key, headers: TUS })).status).toBe(404);
    }
    await server.db.query('UPDATE file_uploads SET expires_at = now() WHERE file_id = $1', [id]);
    expect((await putBytes(as(org.member), path, bytes)).status).toBe(404);
  });

  it('401 and 403: no key, and one without the scope', async () => {
    const { path } = await begin(Buffer.from('x'));
    expect((await call('PUT', path, { body: Buffer.from('x') })).status).toBe(401);
    const { key } = await keyWithScopes(server.db, org.orgId, org.member.userId, ['files:read']);
    const reply = await putBytes({ call, key }, path, Buffer.from('x'));
    expect(reply.status).toBe(403);
    expect(reply.json.error.details).toMatchObject({ reason: 'missing_scope' });
  });

  it('404: an uploader who lost the Project, and 409 once it is archived', async () => {
    const bytes = Buffer.from('x');
    const person = await addPerson(server.db, org.orgId, 'MEMBER');
    const projectId = await createProject({ access: 'MEMBERS' });
    const member = `/api/projects/${projectId}/members/${person.userId}`;
    await call('PUT', member, org.owner);
    const { path } = await beginUpload(as(person), { projectId, bytes });
    await call('DELETE', `/api/projects/${projectId}`, org.owner);
    const archived = await putBytes(as(person), path, bytes);
    expect([archived.status, archived.json.error.details.reason]).toEqual([
      409,
      'project_archived',
    ]);
    await call('POST', `/api/projects/${projectId}/restore`, org.owner);
    await call('DELETE', member, org.owner);
    expect((await putBytes(as(person), path, bytes)).status).toBe(404);
  });
});

describe('a sender who breaks off', () => {
  const requestHead = (path: string, length: number, offset = 0) =>
    head(
      `PATCH ${path} HTTP/1.1`,
      'Host: atrium',
      `Authorization: Bearer ${org.member.key}`,
      'Tus-Resumable: 1.0.0',
      `Upload-Offset: ${offset}`,
      'Content-Type: application/offset+octet-stream',
      `Content-Length: ${length}`,
    );

  it('goes on where the connection was cut', async () => {
    const bytes = randomBytes(300_000);
    const { id, path } = await begin(bytes);
    const connection = await connectRaw(server.origin);
    connection.send(requestHead(path, bytes.length), bytes.subarray(0, 200_000));
    await new Promise((resolve) => setTimeout(resolve, 200));
    connection.destroy();
    await expect.poll(() => offsetOf(as(org.member), path)).toBe(200_000);
    const rest = await patchBytes(as(org.member), path, 200_000, bytes.subarray(200_000));
    expect(rest.status).toBe(204);
    expect(await waitForCheck(as(org.member), id)).toMatchObject({ sha256: sha256(bytes) });
  });

  it('is answered 400 when nothing comes for long, and what came is kept', async () => {
    const bytes = randomBytes(100_000);
    const { path } = await begin(bytes);
    const connection = await connectRaw(server.origin);
    connection.send(requestHead(path, bytes.length), bytes.subarray(0, 50_000));
    const reply = await connection.reply();
    expect(reply.status).toBe(400);
    expect(reply.json.error.details.errors[0].code).toBe('stalled');
    connection.destroy();
    expect(await offsetOf(as(org.member), path)).toBe(50_000);
  });

  it('may be slow, as long as something comes', async () => {
    const bytes = randomBytes(10);
    const { id, path } = await begin(bytes);
    const connection = await connectRaw(server.origin);
    connection.send(requestHead(path, bytes.length));
    for (const byte of bytes) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      connection.send(Buffer.from([byte]));
    }
    expect((await connection.reply()).status).toBe(204);
    connection.destroy();
    expect(await waitForCheck(as(org.member), id)).toMatchObject({ sha256: sha256(bytes) });
  });

  it('409: holds others off while it sends, and not when it is gone', async () => {
    const bytes = randomBytes(100_000);
    const { path } = await begin(bytes);
    const connection = await connectRaw(server.origin);
    connection.send(requestHead(path, bytes.length), bytes.subarray(0, 1000));
    await expect
      .poll(() => server.db.query('SELECT 1 AS one FROM file_uploads WHERE token IS NOT NULL'))
      .toHaveLength(1);
    const second = await patchBytes(as(org.member), path, 0, bytes);
    expect([second.status, second.json.error.details.reason]).toEqual([409, 'upload_conflict']);
    connection.destroy();
    await expect.poll(() => offsetOf(as(org.member), path)).toBe(1000);
    await expect
      .poll(async () => (await patchBytes(as(org.member), path, 1000, bytes.subarray(1000))).status)
      .toBe(204);
  });

  it('is ended when their key is revoked', async () => {
    const bytes = randomBytes(100_000);
    const { path } = await begin(bytes);
    const { key, keyId } = await keyWithScopes(server.db, org.orgId, org.member.userId, [
      'files:write',
    ]);
    const connection = await connectRaw(server.origin);
    const own = requestHead(path, bytes.length).replace(org.member.key, key);
    connection.send(own, bytes.subarray(0, 1000));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await call('DELETE', `/api/keys/${keyId}`, org.member);
    const sending = setInterval(() => connection.send(Buffer.alloc(100)), 200);
    try {
      expect((await connection.reply()).status).toBe(401);
    } finally {
      clearInterval(sending);
      connection.destroy();
    }
  });
});
