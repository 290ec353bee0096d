import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { signIn } from '../../../test/harness/clients/browser.ts';
import {
  dataOf,
  expectError,
  problemsOf,
  reasonOf,
} from '../../../test/harness/clients/envelope.ts';
import { addFile, beginUpload } from '../../../test/harness/clients/uploads.ts';
import { createTestOrg } from '../../../test/harness/factories.ts';
import { makePng } from '../../../test/harness/images.ts';
import { useServerWithOrg } from '../../../test/harness/processes/use-test-org.ts';
import { useFolder } from '../../../test/harness/use-folder.ts';

const folder = useFolder();
const { server, call, org } = useServerWithOrg(async () => ({
  worker: true,
  env: { DATA_DIR: folder.path },
}));
const bytes = Buffer.from(Array.from({ length: 1000 }, (_, at) => 32 + (at % 90)));
const me = () => ({ call, key: org.member.key });

let projectId: string;
let file: { id: string; sha256: string };
const get = (headers: Record<string, string> = {}, id = file.id) =>
  call('GET', `/api/files/${id}/content`, { key: org.member.key, headers });

beforeAll(async () => {
  projectId = dataOf(await call('POST', '/api/projects', org.owner, { name: 'Content' })).id;
  file = await addFile(me(), { projectId, bytes, name: 'notes.txt' });
});

describe('GET /files/{id}/content', () => {
  it('200: the bytes, as a download that runs nothing', async () => {
    const reply = await get();
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(bytes.toString());
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '1000',
      'content-disposition': `attachment; filename="notes.txt"; filename*=UTF-8''notes.txt`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      etag: `"${file.sha256}"`,
    });
  });

  it('200: a picture is shown, or saved if the address says so', async () => {
    const { id } = await addFile(me(), { projectId, bytes: makePng(20), name: 'a.png' });
    for (const [query, how] of [
      ['', 'inline'],
      ['?download=false', 'inline'],
      ['?download=true', 'attachment'],
    ]) {
      const reply = await call('GET', `/api/files/${id}/content${query}`, org.member);
      expect(reply.headers.get('content-disposition')).toMatch(new RegExp(`^${how}; `));
    }
    const wrong = await call('GET', `/api/files/${id}/content?download=1`, org.member);
    expect(problemsOf(wrong)).toEqual(['query.download invalid_type']);
  });

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=990-', 990, 999],
    ['bytes=990-5000', 990, 999],
    ['bytes=-10', 990, 999],
    ['bytes=-5000', 0, 999],
  ])('206: %s', async (range, start, end) => {
    const reply = await get({ range });
    expect(reply.status).toBe(206);
    expect(reply.headers.get('content-range')).toBe(`bytes ${start}-${end}/1000`);
    expect(reply.text).toBe(bytes.subarray(start, end + 1).toString());
  });

  it.each(['bytes=1000-', 'bytes=5000-6000', 'bytes=-0'])('416: %s', async (range) => {
    const reply = await get({ range });
    expect(reply.status).toBe(416);
    expect(reply.headers.get('content-range')).toBe('bytes */1000');
    expect(reply.json.error.code).toBe('VALIDATION_ERROR');
  });

  it.each(['bytes=0-1,5-6', 'bytes=9-5', 'pages=1-2', 'bytes=', 'bytes=a-b'])(
    '200: all of it for %s',
    async (range) => {
      const reply = await get({ range });
      expect([reply.status, reply.text.length]).toEqual([200, 1000]);
    },
  );

  it('304 and 206: with the ETag of these bytes, and all of them with another', async () => {
    const etag = `"${file.sha256}"`;
    const known = await get({ 'if-none-match': `W/"x", ${etag}` });
    expect([known.status, known.text]).toEqual([304, '']);
    expect((await get({ 'if-none-match': '"x"' })).status).toBe(200);
    expect((await get({ 'if-range': etag, range: 'bytes=0-1' })).status).toBe(206);
    expect((await get({ 'if-range': '"x"', range: 'bytes=0-1' })).status).toBe(200);
  });

  it('200: HEAD says how many bytes there are', async () => {
    const reply = await call('HEAD', `/api/files/${file.id}/content`, org.member);
    expect([reply.status, reply.headers.get('content-length')]).toEqual([200, '1000']);
  });

  it('409: the bytes are not there yet', async () => {
    const { id } = await beginUpload(me(), { projectId, bytes });
    expect(reasonOf(await get({}, id))).toEqual([409, 'file_not_ready']);
  });

  it('404: bytes that were deleted a moment ago; 500: a storage that cannot be reached, until it can', async () => {
    const added = await addFile(me(), { projectId, bytes, name: 'gone.txt' });
    const [row] = await server.db.query<{ key: string }>(
      'SELECT storage_key AS key FROM files WHERE id = $1',
      [added.id],
    );
    const path = join(folder.path, 'files', row?.key ?? '');
    await rename(dirname(path), `${dirname(path)}-away`);
    const gone = await get({}, added.id);
    expectError(gone, 'NOT_FOUND');
    expect(gone.headers.get('content-disposition')).toBeNull();
    await writeFile(dirname(path), 'no folder');
    const refused = await get({ range: 'bytes=0-9' }, added.id);
    expectError(refused, 'INTERNAL_ERROR');
    expect(refused.text).toContain('The storage of this server cannot be reached.');
    expect(refused.headers.get('retry-after')).toBe('30');
    await rm(dirname(path));
    await rename(`${dirname(path)}-away`, dirname(path));
    expect((await get({}, added.id)).text).toBe(bytes.toString());
  });

  it('200: nothing that a browser runs is ever shown by it, whatever it claims to be', async () => {
    const html = '<!doctype html><script>alert(1)</script>';
    const hostile: [string, string, string, string][] = [
      ['page.html', 'text/html', html, 'text/html'],
      ['picture.gif', 'image/gif', html, 'text/html'],
      ['picture.gif', 'image/gif', `GIF89a/*${html}*/`, 'text/html'],
      ['x.svg', 'image/svg+xml', '<svg onload="alert(1)"/>', 'image/svg+xml'],
      ['x.png', 'image/png', '<?xml version="1.0"?><svg/>', 'image/svg+xml'],
      ['x.pdf', 'application/pdf', `${html}%PDF-1.4`, 'text/html'],
      ['x.exe', 'image/png', 'MZ\0\0', 'application/octet-stream'],
    ];
    for (const [name, mediaType, text, expected] of hostile) {
      const added = await addFile(me(), { projectId, bytes: Buffer.from(text), name, mediaType });
      expect(added.mediaType).toBe(expected);
      const reply = await get({}, added.id);
      expect(reply.headers.get('content-disposition')).toMatch(/^attachment;/);
      expect(reply.headers.get('content-security-policy')).toContain('sandbox');
    }
  });

  it('200: hostile names stay names', async () => {
    const names: [string, string, string][] = [
      ['a"; filename="b.exe', 'a_; filename=_b.exe', 'a%22%3B%20filename%3D%22b.exe'],
      ["Ärger (neu)'.txt", "_rger (neu)'.txt", '%C3%84rger%20%28neu%29%27.txt'],
      ['😀.txt', '_.txt', '%F0%9F%98%80.txt'],
    ];
    for (const [name, ascii, whole] of names) {
      const { id } = await addFile(me(), { projectId, bytes, name });
      const header = (await get({}, id)).headers.get('content-disposition');
      expect(header).toBe(`attachment; filename="${ascii}"; filename*=UTF-8''${whole}`);
    }
  });
});

describe('in the browser', () => {
  it('200: the organisation is that of the file, whichever is open', async () => {
    const other = await createTestOrg(server.db);
    await server.db.query(
      `INSERT INTO memberships (org_id, user_id, role) VALUES ($1, $2, 'MEMBER')`,
      [other.orgId, org.member.userId],
    );
    await server.db.query('UPDATE users SET last_org_id = $2 WHERE id = $1', [
      org.member.userId,
      other.orgId,
    ]);
    const browser = await signIn(server, org.member.email);
    expect((await browser.call('GET', `/api/files/${file.id}`)).status).toBe(404);
    const reply = await browser.call('GET', `/api/files/${file.id}/content`);
    expect([reply.status, reply.text.length]).toEqual([200, 1000]);
    const named = { headers: { 'atrium-org': other.orgId } };
    expect((await browser.call('GET', `/api/files/${file.id}/content`, named)).status).toBe(404);
    const stranger = await signIn(server, other.owner.email);
    expect((await stranger.call('GET', `/api/files/${file.id}/content`)).status).toBe(404);
  });
});
