import { describe, expect, it } from 'vitest';
import type { SeenRequest } from '../../../test/harness/outside/https-server.ts';
import { createGuard, startServer } from '../../../test/harness/stages/guard-stage.ts';
import { CallRefused } from './safe-fetch.ts';

const SECRETS = {
  Authorization: 'Bearer s3cret',
  Cookie: 's3cret=1',
  'X-Api-Key': 's3cret',
  'Mcp-Session-Id': 's3cret',
};

/** Redirects as its path says: /307?to=<url>. Every other path responds with its name. */
async function startRedirects() {
  const server = await startServer((request, response) => {
    const url = new URL(request.url ?? '', 'https://localhost');
    const status = Number(url.pathname.slice(1));
    const to = url.searchParams.get('to');
    if (status && to !== null) response.writeHead(status, { location: to }).end('moved');
    else response.end(url.pathname);
  });
  const redirect = (status: number, to: string) =>
    `${server.url}/${status}?${new URLSearchParams({ to }).toString()}`;
  return { ...server, redirect };
}

const guardFor = (...ports: number[]) =>
  createGuard(ports, { ownOrigin: 'https://atrium.example.org' });

const secretsIn = (request: SeenRequest | undefined) => JSON.stringify(request).match(/s3cret/g);

describe('a redirect', () => {
  it.each([
    [301, 'GET', 'GET'],
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [302, 'PUT', 'PUT'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [307, 'POST', 'POST'],
    [308, 'POST', 'POST'],
    [308, 'DELETE', 'DELETE'],
  ])('%i turns %s into %s, with the body if the method stays', async (status, method, then) => {
    const server = await startRedirects();
    const hasBody = method === 'POST' || method === 'PUT';
    const response = await guardFor(server.port).fetch(server.redirect(status, '/there#part'), {
      method,
      headers: SECRETS,
      ...(hasBody && { body: '{"a":1}' }),
    });
    expect(response.url).toBe(`${server.url}/there`);
    expect(response.redirected).toBe(true);
    const [, second] = server.requests;
    expect(second).toMatchObject({ method: then, path: '/there' });
    expect(second?.body).toBe(hasBody && then === method ? '{"a":1}' : '');
    expect(second?.headers['content-type']).toBe(
      second?.body ? 'text/plain;charset=UTF-8' : undefined,
    );
    // The same origin may know them.
    expect(secretsIn(second)).toHaveLength(4);
  });

  it('to another origin carries no credentials, not even back again', async () => {
    const [here, there] = [await startRedirects(), await startRedirects()];
    const back = there.redirect(307, `${here.url}/home`);
    const response = await guardFor(here.port, there.port).fetch(here.redirect(307, back), {
      method: 'POST',
      headers: { ...SECRETS, Accept: 'text/event-stream', 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(await response.text()).toBe('/home');
    expect(secretsIn(here.requests[0])).toHaveLength(4);
    expect(there.requests).toMatchObject([
      {
        method: 'POST',
        body: '{}',
        headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
      },
    ]);
    expect(secretsIn(there.requests[0])).toBeNull();
    expect(secretsIn(here.requests[1])).toBeNull();
  });

  it('to another origin carries no form: OAuth sends secrets in one', async () => {
    const [here, there] = [await startRedirects(), await startRedirects()];
    const body = new URLSearchParams({ client_secret: 's3cret' });
    const guard = guardFor(here.port, there.port);
    const call = guard.fetch(here.redirect(307, there.url), { method: 'POST', body });
    await expect(call).rejects.toThrow(/a form is not sent to another origin/);
    expect(there.connections()).toBe(0);
  });

  it.each([
    'http://localhost/',
    'https://127.0.0.1/',
    'https://localhost:1/',
    'https://0x7f.1/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    '//10.0.0.1/',
    '\\\\10.0.0.1\\',
    'https://user:secret@localhost/',
    'https://atrium.example.org/api',
    'file:///etc/passwd',
    'data:text/plain,hello',
    'https://',
  ])('to %s is refused, whoever follows it', async (to) => {
    const server = await startRedirects();
    const guard = guardFor(server.port);
    for (const redirect of ['follow', 'manual'] as const) {
      const failure = await guard
        .fetch(server.redirect(302, to), { redirect })
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(CallRefused);
      expect((failure as Error).message).toMatch(
        /^the server redirects to an address that is not allowed: /,
      );
      expect((failure as Error).message).not.toMatch(/127|169|10\.0|secret/);
    }
    expect(server.requests).toHaveLength(2);
  });

  it('is followed three times, unless the caller sets another limit', async () => {
    const server = await startRedirects();
    const guard = guardFor(server.port);
    const times = (count: number): string =>
      count === 0 ? `${server.url}/end` : server.redirect(302, times(count - 1));
    expect(await (await guard.fetch(times(3))).text()).toBe('/end');
    const problem = { code: 'redirect', message: 'the server redirects more than 3 times' };
    await expect(guard.fetch(times(4))).rejects.toMatchObject(problem);
    await expect(guard.fetch(times(1), {}, { maxRedirects: 0 })).rejects.toMatchObject({
      code: 'redirect',
    });
  });

  it('is passed to a caller who asks for it, and fails for one who forbids it', async () => {
    const server = await startRedirects();
    const guard = guardFor(server.port);
    const url = server.redirect(302, '/there');
    const response = await guard.fetch(url, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/there']);
    expect(await response.text()).toBe('moved');
    await expect(guard.fetch(url, { redirect: 'error' })).rejects.toMatchObject({
      code: 'redirect',
    });
    expect(server.requests.every(({ path }) => path.startsWith('/302'))).toBe(true);
  });

  it('without a Location is an ordinary response', async () => {
    const server = await startServer((_, response) => void response.writeHead(302).end('nowhere'));
    const response = await guardFor(server.port).fetch(`${server.url}/`);
    expect([response.status, await response.text()]).toEqual([302, 'nowhere']);
  });
});
