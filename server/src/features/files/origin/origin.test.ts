import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { signIn } from '../../../../test/harness/clients/browser.ts';
import { createTestOrg, type TestOrg } from '../../../../test/harness/factories.ts';
import { useTestServer } from '../../../../test/harness/processes/use-test-server.ts';
import { addStoredFile } from '../../../../test/harness/stored-file.ts';
import { useFolder } from '../../../../test/harness/use-folder.ts';
import { newId } from '../../../core/ids.ts';
import { signedPath } from './address.ts';

const ORIGIN = 'http://files.example.test';
const HOST = 'files.example.test';
const PAGE = '<script>document.title = "taken over"</script>';

describe('FILES_ORIGIN', () => {
  const folder = useFolder();
  const server = useTestServer(async () => ({
    env: { FILES_ORIGIN: ORIGIN, DATA_DIR: folder.path },
  }));
  let org: TestOrg;
  let cookie: string;
  let page: { id: string; name: string; mediaType: string };
  let picture: { id: string; name: string; mediaType: string };

  beforeAll(async () => {
    org = await createTestOrg(server.db);
    ({ cookie } = await signIn(server, org.member.email));
    page = await addFile('über "uns".html', 'text/html', PAGE);
    picture = await addFile('a.png', 'image/png', 'not really a picture');
  });

  async function addFile(name: string, mediaType: string, content: string) {
    const { orgId, member } = org;
    const projectId = newId();
    await server.db.query(
      `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
       VALUES ($1, $2, $2, 'Files', '{}', 'ORG', $3)`,
      [orgId, projectId, member.userId],
    );
    const file = { orgId, projectId, uploadedById: member.userId, name, mediaType, content };
    return addStoredFile(server.db, folder.path, file);
  }

  /** As a browser that is sent to a host. */
  async function open(host: string, path: string, headers: Record<string, string> = {}) {
    const { port } = new URL(server.origin);
    const options = { host: '127.0.0.1', port, path, headers: { host, ...headers } };
    const sent = request(options).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
  }

  const mainHost = () => new URL(server.origin).host;
  async function addressOf(file: { id: string }, query = ''): Promise<string> {
    const found = await open(mainHost(), `/api/files/${file.id}/content${query}`, { cookie });
    expect(found.status).toBe(302);
    const { location = '' } = found.headers;
    expect(location.startsWith(`${ORIGIN}/content/`)).toBe(true);
    return location.slice(ORIGIN.length);
  }
  const signed = (at: Date, file = page) =>
    signedPath({ orgId: org.orgId, clock: { now: () => at }, tokens: server.tokens }, file, false);

  it('302 for browsers, whose content then has no session and runs nothing', async () => {
    const found = await open(HOST, await addressOf(page));
    expect([found.status, found.body]).toEqual([200, PAGE]);
    expect(found.headers).toMatchObject({
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(found.headers['content-disposition']).toMatch(/^attachment; /);
    expect(found.headers['set-cookie']).toBeUndefined();
    const shown = await open(HOST, await addressOf(picture), { range: 'bytes=4-9' });
    expect([shown.status, shown.body]).toEqual([206, 'really']);
    expect(shown.headers['content-disposition']).toMatch(/^inline; /);
    const saved = await open(HOST, await addressOf(picture, '?download=true'));
    expect(saved.headers['content-disposition']).toMatch(/^attachment; /);
  });

  it('200 for keys, at the address that they asked', async () => {
    const path = `/api/files/${page.id}/content`;
    const found = await open(mainHost(), path, { authorization: `Bearer ${org.member.key}` });
    expect([found.status, found.body]).toEqual([200, PAGE]);
  });

  it('404 for somebody who may not read it, so nobody gets an address', async () => {
    const other = await createTestOrg(server.db);
    const stranger = await signIn(server, other.member.email);
    const path = `/api/files/${page.id}/content`;
    expect((await open(mainHost(), path, { cookie: stranger.cookie })).status).toBe(404);
  });

  it('404 for every other path there, whoever asks', async () => {
    const headers = { cookie, authorization: `Bearer ${org.owner.key}` };
    for (const path of [
      '/',
      '/api/me',
      `/api/files/${page.id}`,
      `/api/files/${page.id}/content`,
      '/healthz',
      '/web/events',
      '/docs',
      '/content/x',
    ]) {
      expect((await open(HOST, path, headers)).status, path).toBe(404);
    }
  });

  it('404 for the address on the main origin, where its content would have the session', async () => {
    expect((await open(mainHost(), await addressOf(page), { cookie })).status).toBe(404);
  });

  it('404 when any word of the address is changed, or it has expired', async () => {
    const now = new Date();
    const words = signed(now).split('/');
    for (const [at, word] of [
      [2, newId()],
      [3, picture.id],
      [4, 'inline'],
      [5, String(Number(words[5]) + 300)],
      [6, `${words[6]?.slice(0, -1)}${words[6]?.endsWith('a') ? 'b' : 'a'}`],
      [6, 'x'],
    ] as const) {
      expect((await open(HOST, words.with(at, word).join('/'))).status, String(at)).toBe(404);
    }
    expect((await open(HOST, words.join('/'))).status).toBe(200);
    expect((await open(HOST, signed(new Date(now.getTime() - 601_000)))).status).toBe(404);
    expect((await open(HOST, signed(new Date(now.getTime() - 240_000)))).status).toBe(200);
  });

  it('404 for a file that was deleted', async () => {
    const gone = await addFile('b.txt', 'text/plain', 'b');
    const address = await addressOf(gone);
    await server.send('DELETE', `/api/files/${gone.id}`, { key: org.member.key });
    expect((await open(HOST, address)).status).toBe(404);
  });
});
