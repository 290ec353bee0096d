import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createVault } from '../../src/adapters/secrets/vault.ts';
import type { Queryable } from '../../src/db/types.ts';
import { resealSecrets } from '../../src/app/stored-secrets.ts';
import { browserWith, signIn, tokenFor } from '../harness/clients/browser.ts';
import { createAuthority } from '../harness/outside/certificates.ts';
import { createCaller } from '../harness/clients/client.ts';
import { createTestDatabase, type TestDatabase } from '../harness/databases/database.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { createMailFolder, type MailFolder } from '../harness/clients/mail-folder.ts';
import { startMcpUpstream, type McpUpstream } from '../harness/outside/mcp-upstream.ts';
import { startTestServer, type TestServer } from '../harness/processes/server.ts';

const SECRET = 'canary-secret-4711';
const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
const spelled = (...keys: Buffer[]) => keys.map((key) => key.toString('base64')).join(',');

const authority = createAuthority();
let database: TestDatabase;
let upstream: McpUpstream;
let mail: MailFolder;
let org: TestOrg;
let running: TestServer | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
  upstream = await startMcpUpstream(authority);
  mail = await createMailFolder();
  org = await createTestOrg(database.db);
});
afterEach(() => stop());
afterAll(async () => {
  await Promise.all([upstream.close(), mail.remove()]);
  await database.drop();
});

async function stop(): Promise<void> {
  await running?.stop();
  running = undefined;
}

/** The same workspace, restarted with these keys. */
async function restart(keys: Buffer[], { worker = false } = {}): Promise<TestServer> {
  await stop();
  const env = {
    ...mail.env,
    SECRETS_KEY: spelled(...keys),
    SIGNUP: 'open',
    MCP_ALLOW_HOSTS: upstream.host,
    PUBLIC_URL: 'https://atrium.example.com',
  };
  running = await startTestServer({
    shared: database,
    worker,
    env,
    ca: authority.certificate,
  });
  return running;
}

async function register(server: TestServer, mentionSlug: string): Promise<string> {
  const endpoint = { displayName: 'Tools', mentionSlug, endpointUrl: upstream.url };
  const body = { ...endpoint, authType: 'BEARER', secret: SECRET };
  const reply = await createCaller(server.origin)('POST', '/api/mcp/servers', {
    key: org.owner.key,
    body,
  });
  expect(reply.status, reply.text).toBe(201);
  return reply.json.data.id;
}

async function test(server: TestServer, id: string) {
  upstream.requests.length = 0;
  const path = `/api/mcp/servers/${id}/test-connection`;
  const { json } = await createCaller(server.origin)('POST', path, { key: org.owner.key });
  const sent = new Set(upstream.requests.map(({ headers }) => headers['authorization']));
  return { ...json.data, sent: [...sent] };
}

const WORKS = { ok: true, sent: [`Bearer ${SECRET}`] };

describe('a secret of an MCP server', () => {
  it('survives a rotation of SECRETS_KEY: new,old, then reseal, then new only', async () => {
    const id = await register(await restart([OLD]), 'tools');
    const both = await restart([NEW, OLD]);
    expect(await test(both, id)).toMatchObject(WORKS);
    const later = await register(both, 'later');
    expect(await resealSecrets(database.db, createVault([NEW, OLD]))).toEqual({
      resealed: 1,
      current: 1,
      unreadable: 0,
    });
    const alone = await restart([NEW]);
    expect(await test(alone, id)).toMatchObject(WORKS);
    expect(await test(alone, later)).toMatchObject(WORKS);

    const mistaken = await restart([OLD]);
    const { ok, error, sent } = await test(mistaken, id);
    expect([ok, error.code, sent]).toEqual([false, 'secret_unreadable', []]);
    expect(error.message).toMatch(/^[^\n]*SECRETS_KEY[^\n]*$/);
    expect(error.message + mistaken.logLines.join('')).not.toContain(SECRET);
    expect(await resealSecrets(database.db, createVault([OLD]))).toEqual({
      resealed: 0,
      current: 0,
      unreadable: 2,
    });
    expect(await test(await restart([NEW]), id)).toMatchObject(WORKS);
  });

  it('is resealed once, however often and by however many processes', async () => {
    const server = await restart([OLD]);
    for (let made = 0; made < 5; made++) await register(server, `many-${made}`);
    const vault = createVault([NEW, OLD]);
    const runs = await Promise.all(
      Array.from({ length: 4 }, () => resealSecrets(database.db, vault)),
    );
    expect(runs.reduce((sum, { resealed }) => sum + resealed, 0)).toBe(5);
    expect(await resealSecrets(database.db, vault)).toMatchObject({ resealed: 0, unreadable: 0 });
  });

  it('that is removed while it is resealed does not come back', async () => {
    const server = await restart([OLD]);
    const id = await register(server, 'removed');
    const path = `/api/mcp/servers/${id}`;
    const { db } = database;
    const racing: Queryable = {
      ...db,
      async query<Row extends object>(text: string, values?: readonly unknown[]) {
        const rows = await db.query<Row>(text, values);
        if (text.includes('SELECT')) {
          await createCaller(server.origin)('DELETE', path, { key: org.owner.key });
        }
        return rows;
      },
    };
    expect(await resealSecrets(racing, createVault([NEW, OLD]))).toMatchObject({ resealed: 0 });
    expect(await db.query('SELECT 1 FROM mcp_servers WHERE id = $1', [id])).toEqual([]);
  });
});

it('the key of a model provider is resealed too', async () => {
  const server = await restart([OLD]);
  const { json } = await createCaller(server.origin)('POST', '/api/model-providers', {
    key: org.owner.key,
    body: {
      kind: 'openai-compatible',
      name: 'n',
      baseUrl: 'https://93.184.216.34/v1',
      apiKey: SECRET,
    },
  });
  await resealSecrets(database.db, createVault([NEW, OLD]));
  const [row] = await database.db.query<{ sealed: Buffer }>(
    'SELECT sealed_key AS sealed FROM model_providers WHERE org_id = $1',
    [org.orgId],
  );
  const place = `model-provider/${org.orgId}/${json.data.id}`;
  expect(createVault([NEW]).unseal(place, row!.sealed)).toBe(SECRET);
});

describe('an email that waits while SECRETS_KEY is rotated', () => {
  const linkIn = (text: string | undefined, pattern: RegExp) => pattern.exec(text ?? '')?.[1] ?? '';

  it('has an invitation link that works, created with the old key', async () => {
    const email = 'waits@example.com';
    const call = createCaller((await restart([OLD])).origin);
    const body = { email, role: 'MEMBER' };
    const path = `/api/org/${org.orgId}/invitations`;
    expect((await call('POST', path, { key: org.owner.key, body })).status).toBe(201);

    const server = await restart([NEW, OLD], { worker: true });
    const [sent] = await mail.to(database.db, email);
    const token = linkIn(sent?.text, /\/invite\/(\w+)/);
    const shown = await browserWith(server).call('GET', `/web/invitations/${token}`);
    expect(shown.json.data).toMatchObject({ email, status: 'PENDING' });
    const alone = await restart([NEW]);
    expect((await browserWith(alone).call('GET', `/web/invitations/${token}`)).status).toBe(200);
  });

  it('has a sign-in link that works, created with the old key', async () => {
    const email = 'signs-in@example.com';
    const page = browserWith(await restart([OLD]));
    await page.call('POST', '/web/sign-in-links', { body: { email } });
    const server = await restart([NEW, OLD], { worker: true });
    const [sent] = await mail.to(database.db, email);
    const token = linkIn(sent?.text, /#token=(\w+)/);
    const signedIn = await browserWith(server).call('POST', '/web/sign-in', { body: { token } });
    expect(signedIn.json.data).toMatchObject({ email });
  });

  it('has a link that undoes a change of address, created with the old key', async () => {
    const server = await restart([OLD]);
    const { email } = org.member;
    const browser = await signIn(server, email, { openedByLink: true });
    const moved = 'moved@example.com';
    await browser.call('POST', '/web/email-changes', { body: { email: moved } });
    const body = { token: await tokenFor(server, moved, 'email-change') };
    const confirmed = await browser.call('POST', '/web/email-changes/confirm', { body });
    expect(confirmed.status, confirmed.text).toBe(200);

    const rotated = await restart([NEW, OLD], { worker: true });
    const [note] = await mail.to(database.db, email);
    const token = linkIn(note?.text, /\/undo-email#token=(\w+)/);
    const undone = await browserWith(rotated).call('POST', '/web/email-changes/undo', {
      body: { token },
    });
    expect(undone.status, undone.text).toBe(200);
  });

  it('is not sent with a dead link if no key fits: the job fails and names SECRETS_KEY', async () => {
    const email = 'stays@example.com';
    const page = browserWith(await restart([OLD]));
    await page.call('POST', '/web/sign-in-links', { body: { email } });
    const { logLines } = await restart([NEW], { worker: true });
    await expect.poll(() => logLines.join('')).toContain('SECRETS_KEY: none of its keys');
    await stop();
    await restart([NEW, OLD], { worker: true });
    await database.db.query(`UPDATE jobs SET run_at = now() WHERE kind = 'link-mail'`);
    const [sent, ...more] = await mail.to(database.db, email);
    expect([sent?.text?.includes('#token='), more]).toEqual([true, []]);
  });
});

describe('a browser that signed in before', () => {
  it('is still known after a rotation, and gets a cookie of the new key', async () => {
    const first = await deviceAfterSignIn(await restart([OLD]));
    const second = await deviceAfterSignIn(await restart([NEW, OLD]), first);
    const third = await deviceAfterSignIn(await restart([NEW]), second);
    expect(second.split('.')[0]).toBe(first.split('.')[0]);
    expect(second).not.toBe(first);
    expect(third).toBe(second);
  });
});

/** The device cookie that signing in with this one sets. */
async function deviceAfterSignIn(server: TestServer, cookie = ''): Promise<string> {
  const { email } = org.admin;
  const page = browserWith(server, cookie);
  await page.call('POST', '/web/sign-in-links', { body: { email } });
  const body = { token: await tokenFor(server, email) };
  const reply = await page.call('POST', '/web/sign-in', { body });
  expect(reply.status, reply.text).toBe(200);
  const set = reply.headers.getSetCookie().find((line) => line.startsWith('atrium_device='));
  return set?.split(';', 1)[0] ?? '';
}
