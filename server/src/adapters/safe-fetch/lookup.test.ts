import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  startDnsServer,
  type DnsAnswer,
  type DnsQuestion,
  type DnsServer,
} from '../../../test/harness/outside/dns-server.ts';
import { createGuard, startServer } from '../../../test/harness/stages/guard-stage.ts';
import { CallFailed, CallRefused } from './safe-fetch.ts';

const PUBLIC = '93.184.215.14';
const URL = 'https://mcp.example.com/';
const NOT_PUBLIC = expect.stringMatching(/^the address is not public/);

async function startDns(answer: (question: DnsQuestion) => DnsAnswer | undefined) {
  const dns = await startDnsServer(answer);
  onTestFinished(() => dns.close());
  return dns;
}

const guardWith = (dns: Pick<DnsServer, 'address'>, allowHosts: string[] = []) =>
  createGuard(allowHosts, { dnsServers: [dns.address] });

describe('a name', () => {
  it('is resolved in both families, and every address counts', async () => {
    const dns = await startDns(() => ({ addresses: [PUBLIC, '2606:2800:21f::1'] }));
    expect(await guardWith(dns).check(URL)).toEqual({ ok: true });
    expect(dns.questions.map(({ type }) => type).toSorted()).toEqual(['A', 'AAAA']);
  });

  it.each([
    ['a private one', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['loopback in IPv6', ['::1']],
    ['the metadata service', ['169.254.169.254']],
    ['IPv4 in IPv6', ['::ffff:10.0.0.1']],
    ['IPv4 compatible IPv6', ['::808:808']],
    ['a private one among public ones', [PUBLIC, '1.1.1.1', '10.0.0.1']],
    ['a public and a private one of the other family', [PUBLIC, 'fd00::1']],
  ])('is refused for %s', async (_what, addresses) => {
    const guard = guardWith(await startDns(() => ({ addresses })));
    expect(await guard.check(URL)).toEqual({ ok: false, message: NOT_PUBLIC });
    const failure = await guard.fetch(URL).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CallRefused);
    for (const address of addresses) expect((failure as Error).message).not.toContain(address);
  });

  it('is checked by the addresses behind its alias', async () => {
    const dns = await startDns(({ name }) => ({
      cname: 'real.example.net',
      addresses: [name === 'good.example.com' ? PUBLIC : '192.168.1.1'],
    }));
    const guard = guardWith(dns);
    expect(await guard.check('https://good.example.com/')).toEqual({ ok: true });
    expect(await guard.check('https://bad.example.com/')).toEqual({
      ok: false,
      message: NOT_PUBLIC,
    });
  });

  it('that does not exist, or has no address, is refused', async () => {
    const dns = await startDns(({ name }) => (name === 'empty.example.com' ? {} : undefined));
    const guard = guardWith(dns);
    expect(await guard.check(URL)).toEqual({ ok: false, message: 'the name does not exist' });
    expect(await guard.check('https://empty.example.com/')).toEqual({
      ok: false,
      message: 'the name has no address',
    });
    const tooLong = `https://${'a'.repeat(64)}.example.com/`;
    expect(await guard.check(tooLong)).toEqual({ ok: false, message: 'the name does not exist' });
  });

  it('may have only one family, even if the resolver fails for the other', async () => {
    const dns = await startDns(({ type }) =>
      type === 'A' ? { addresses: [PUBLIC] } : { code: 2 },
    );
    expect(await guardWith(dns).check(URL)).toEqual({ ok: true });
  });
});

describe('a resolver', () => {
  const UNRESOLVED = {
    ok: 'unresolved',
    message: 'the name could not be resolved: the resolver did not respond',
  };

  it('that fails leaves the result open', async () => {
    const guard = guardWith(await startDns(() => ({ code: 2 })));
    expect(await guard.check(URL)).toEqual(UNRESOLVED);
    await expect(guard.fetch(URL)).rejects.toMatchObject({ name: 'CallFailed', code: 'dns' });
  });

  it('that is unreachable leaves the result open', async () => {
    const dns = await startDnsServer(() => undefined);
    await dns.close();
    expect(await guardWith(dns).check(URL)).toEqual(UNRESOLVED);
  });

  it('that is slow is waited for', async () => {
    const guard = guardWith(await startDns(() => ({ addresses: ['10.0.0.1'], delayMs: 300 })));
    expect(await guard.check(URL)).toEqual({ ok: false, message: NOT_PUBLIC });
  });

  it('that is silent is abandoned within the time limit of the call', async () => {
    const guard = guardWith(await startDns(() => ({ isSilent: true })));
    let isChecked = false;
    const [checked, failure] = await Promise.all([
      guard.check(URL).finally(() => (isChecked = true)),
      guard.fetch(URL, {}, { totalMs: 300 }).catch((error: unknown) => {
        expect(isChecked).toBe(false);
        return error;
      }),
    ]);
    expect(checked).toEqual(UNRESOLVED);
    expect(failure).toEqual(new CallFailed('timeout', 'no response within 0.3 s'));
  });
});

describe('a DNS answer that changes', () => {
  it('after the registration: the call is refused, and nothing is connected', async () => {
    let connections = 0;
    const listener = createServer(() => connections++).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    onTestFinished(() => void listener.close());
    const { port } = listener.address() as AddressInfo;
    const guard = guardWith(
      await startDns(({ askedBefore }) => ({
        addresses: [askedBefore === 0 ? PUBLIC : '127.0.0.1'],
      })),
    );
    const url = `https://rebind.example.com:${port}/`;
    expect(await guard.check(url)).toEqual({ ok: true });
    await expect(guard.fetch(url)).rejects.toThrow(/not public/);
    expect(connections).toBe(0);
  });

  it('between lookup and connection: only the checked address is connected to', async () => {
    const names = ['rebind.internal'];
    const checked = await startServer((_, response) => void response.end('checked'), { names });
    const { port } = checked;
    const other = await startServer((_, response) => void response.end('other'), {
      names,
      host: '127.0.0.2',
      port,
    });
    const dns = await startDns(({ askedBefore, type }) => {
      if (type === 'AAAA') return {};
      return { addresses: [askedBefore === 0 ? '127.0.0.1' : '127.0.0.2'] };
    });
    const guard = guardWith(dns, [`rebind.internal:${port}`]);
    const url = `https://rebind.internal:${port}/`;
    expect(await (await guard.fetch(url)).text()).toBe('checked');
    expect(other.connections()).toBe(0);
    expect(dns.questions.filter(({ type }) => type === 'A')).toHaveLength(1);
    // The next call resolves the name again and reuses no connection.
    expect(await (await guard.fetch(url)).text()).toBe('other');
    expect(checked.connections()).toBe(1);
  });
});
