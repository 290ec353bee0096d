import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserWith } from '../harness/clients/browser.ts';
import { createCaller } from '../harness/clients/client.ts';
import { printed, startCommand } from '../harness/processes/command.ts';
import { makeMemoryFolder } from './memory-folder.ts';

describe('an embedded database, from its first start', () => {
  let folder: string;
  let settings: Record<string, string>;
  let saved: { url: string; key: string; signInUrl: string; userId: string };

  beforeAll(async () => {
    folder = await makeMemoryFolder('first-start');
    settings = {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      DATA_DIR: join(folder, 'fresh'),
      LOG_LEVEL: 'info',
      FIRST_OWNER_EMAIL: 'me@example.com',
      // Nothing listens there, so no name is resolved, and no call gets further than the secret.
      DNS_SERVERS: '127.0.0.1:9',
    };
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('prints a key that works and keeps it in a private file', async () => {
    const first = startCommand(['serve', '--no-web'], settings);
    const [[, port], [, key]] = await Promise.all([
      printed(first.child, /"port":(\d+),.*"listening"/),
      printed(first.child, /Your API key\s+(\S+)/),
    ]);
    const file = join(folder, 'fresh', 'first-run.json');
    saved = JSON.parse(await readFile(file, 'utf8'));
    expect(saved).toMatchObject({
      url: `http://127.0.0.1:${port}`,
      email: 'me@example.com',
      orgId: expect.any(String),
      userId: expect.any(String),
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(key).toBe(saved.key);
    const call = createCaller(`http://127.0.0.1:${port}`);
    const body = { name: 'First' };
    expect((await call('POST', '/api/projects', { key: saved.key, body })).status).toBe(201);
    await signInByFirstLink(saved);
    const rival = await startCommand(['migrate'], settings).finished;
    expect([rival.code, rival.stderr]).toEqual([
      1,
      expect.stringContaining(`in use by process ${first.child.pid}`),
    ]);
    first.child.kill('SIGTERM');
    const ended = await first.finished;
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).not.toContain(saved.key);
    expect(ended.stdout).toContain(`Sign in        ${saved.signInUrl}\n`);
    for (const line of ended.stdout.split('\n').filter((text) => text.startsWith('{'))) {
      expect(line).not.toContain(saved.signInUrl.split('=')[1]);
    }
  }, 120_000);

  it('has everything after the second start, which prints no key', async () => {
    const { child, finished } = startCommand(['serve', '--no-web'], settings);
    const [, port] = await printed(child, /"port":(\d+),.*"listening"/);
    const call = createCaller(`http://127.0.0.1:${port}`);
    const list = await call('GET', '/api/projects', { key: saved.key });
    expect(list.json.data.items[0].name).toBe('First');
    const body = {
      displayName: 'Tools',
      mentionSlug: 'tools',
      endpointUrl: 'https://tools.example.com/mcp',
      authType: 'BEARER',
      secret: 'canary-secret-4711',
    };
    const reply = await call('POST', '/api/mcp/servers', { key: saved.key, body });
    expect(reply.status, reply.text).toBe(201);
    child.kill('SIGTERM');
    const { stdout } = await finished;
    expect(stdout).not.toContain('Welcome');
    expect(stdout).not.toContain('#token=');
  }, 120_000);

  it('secrets reseal re-encrypts secrets with the new key, so that the old one can be removed', async () => {
    const file = join(folder, 'fresh', 'secrets-key');
    const old = (await readFile(file, 'utf8')).trim();
    const next = Buffer.alloc(32, 2).toString('base64');
    const useKeys = (...keys: string[]) => writeFile(file, `${keys.join('\n')}\n`);
    const reseal = () => startCommand(['secrets', 'reseal'], settings).finished;
    const counts = (resealed: number, current: number, unreadable: number) =>
      expect.stringContaining(`${JSON.stringify({ resealed, current, unreadable })}\n`);

    await useKeys(next, old);
    expect(await reseal()).toMatchObject({ code: 0, stdout: counts(1, 0, 0), stderr: '' });
    await useKeys(next);
    expect(await reseal()).toMatchObject({ code: 0, stdout: counts(0, 1, 0), stderr: '' });
    await useKeys(old);
    const refused = await reseal();
    expect(refused).toMatchObject({ code: 1, stdout: counts(0, 0, 1) });
    expect(refused.stderr).toMatch(/^atrium: SECRETS_KEY: cannot decrypt 1 of [^\n]*\n$/);
    for (const secret of ['canary', 'AgIC', old.slice(0, 8)]) {
      expect(refused.stderr + refused.stdout).not.toContain(secret);
    }
  }, 120_000);
});

async function signInByFirstLink(saved: { signInUrl: string; url: string; userId: string }) {
  const link = new URL(saved.signInUrl);
  expect([link.origin, link.pathname]).toEqual([saved.url, '/sign-in']);
  const { call } = browserWith({ origin: link.origin });
  const body = { token: new URLSearchParams(link.hash.slice(1)).get('token') };
  const signedIn = await call('POST', '/web/sign-in', { body });
  expect(signedIn.json.data).toMatchObject({ userId: saved.userId, orgs: [{ role: 'OWNER' }] });
  const again = await call('POST', '/web/sign-in', { body });
  expect(again.json.error.details).toEqual({ reason: 'link_used' });
}
