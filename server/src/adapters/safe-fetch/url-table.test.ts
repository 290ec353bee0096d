import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALLOWED, BLOCKED } from '../../../test/data/guarded-urls.ts';
import { startDnsServer, type DnsServer } from '../../../test/harness/outside/dns-server.ts';
import { createSafeFetch } from './create-safe-fetch.ts';
import { CallRefused, type SafeFetch } from './safe-fetch.ts';

let dns: DnsServer;
let guard: SafeFetch;
beforeAll(async () => {
  dns = await startDnsServer(() => ({ addresses: ['93.184.215.14', '2606:2800:21f::1'] }));
  const ownOrigin = 'https://atrium.example.org';
  guard = createSafeFetch({ allowHosts: [], dnsServers: [dns.address], ownOrigin });
});
afterAll(async () => {
  await guard.close();
  await dns.close();
});

const rowsOf = (table: typeof BLOCKED) =>
  Object.entries(table).flatMap(([group, urls]) => urls.map((url) => [group, url] as const));

describe('the table', () => {
  it('has no duplicate rows', () => {
    const urls = [...rowsOf(BLOCKED), ...rowsOf(ALLOWED)].map(([, url]) => url);
    expect(urls.length).toBeGreaterThan(250);
    expect(urls.filter((url, index) => urls.indexOf(url) !== index)).toEqual([]);
  });

  it.each(rowsOf(BLOCKED))('blocked: %s: %j', async (_group, url) => {
    expect(await guard.check(url)).toEqual({ ok: false, message: expect.any(String) });
    await expect(guard.fetch(url)).rejects.toThrow(CallRefused);
  });

  it.each(rowsOf(ALLOWED))('allowed: %s: %j', async (_group, url) => {
    expect(await guard.check(url)).toEqual({ ok: true });
  });
});

describe('what a refusal says', () => {
  it.each([
    ['http://example.com/', 'the URL must start with https://'],
    ['https://', 'this is not a valid URL'],
    ['https://key:secret@example.com/', 'the URL must not contain a user name or password'],
    ['https://a.example/ b', 'the URL contains a space, a backslash or a control character'],
    ['https://example.com./', 'the name contains an empty label'],
    ['https://atrium.example.org/mcp', 'this is the address of Atrium itself'],
    ['https://ATRIUM.example.org:443/', 'this is the address of Atrium itself'],
    [
      'https://10.0.0.1/',
      'the address is not public (an operator can allow it with MCP_ALLOW_HOSTS)',
    ],
  ])('%s: %s', async (url, message) => {
    expect(await guard.check(url)).toEqual({ ok: false, message });
  });

  it('our own host on another port is another server', async () => {
    expect(await guard.check('https://atrium.example.org:8443/')).toEqual({ ok: true });
  });
});

describe('hosts that an operator allows', () => {
  const admits = (allowHosts: string[], url: string, ownOrigin = 'http://127.0.0.1:3000') =>
    createSafeFetch({ allowHosts, dnsServers: [dns.address], ownOrigin }).check(url);

  it.each([
    ['10.0.0.1:8443', 'https://10.0.0.1:8443/mcp'],
    ['10.0.0.1:443', 'https://10.0.0.1/'],
    ['[::1]:8443', 'https://[0:0::1]:8443/'],
    ['localhost:8443', 'https://LOCALHOST:8443/'],
    ['mcp:8443', 'https://mcp:8443/'],
    ['Bücher.internal:8443', 'https://xn--bcher-kva.internal:8443/'],
  ])('%s: %s', async (entry, url) => {
    expect(await admits([entry], url)).toEqual({ ok: true });
  });

  it.each([
    ['10.0.0.1:8443', 'https://10.0.0.1/'],
    ['10.0.0.1:8443', 'https://10.0.0.2:8443/'],
    ['mcp:8443', 'https://mcp:8444/'],
    ['mcp.internal:8443', 'https://a.mcp.internal:8443/'],
    ['10.0.0.1:8443', 'http://10.0.0.1:8443/'],
    ['10.0.0.1:8443', 'https://user@10.0.0.1:8443/'],
    ['10.0.0.1:8443', 'https://[::ffff:10.0.0.1]:8443/'],
    ['127.0.0.1:3000', 'https://127.0.0.1:3000/'],
  ])('%s, and not %s', async (entry, url) => {
    expect(await admits([entry], url)).toMatchObject({ ok: false });
  });

  it.each(['mcp', 'https://mcp:8443', 'mcp:8443/path', 'a@mcp:8443', 'mcp:99999', ''])(
    'cannot include %j: startup fails',
    (entry) => {
      expect(() => admits([entry], 'https://example.com/')).toThrow(`"${entry}" is not host:port`);
    },
  );

  it('cannot use a resolver that is not an address', () => {
    const options = { allowHosts: [], ownOrigin: 'http://127.0.0.1:3000' };
    expect(() => createSafeFetch({ ...options, dnsServers: ['dns.example:53'] })).toThrow(
      TypeError,
    );
  });
});
