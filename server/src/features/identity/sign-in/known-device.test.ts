import { beforeEach, describe, expect, it } from 'vitest';
import { browserWith, signIn, tokenFor } from '../../../../test/harness/clients/browser.ts';
import { expectError } from '../../../../test/harness/clients/envelope.ts';
import { addPerson, type Person } from '../../../../test/harness/factories.ts';
import { useServerWithOrg } from '../../../../test/harness/processes/use-test-org.ts';

const PASSWORD = 'correct horse battery';

const { server, org } = useServerWithOrg({ env: { RATE_LIMIT_SIGN_INS: '8', TRUST_PROXY: '1' } });
let person: Person;

beforeEach(async () => {
  person = await addPerson(server.db, org.orgId, 'MEMBER');
  const { call } = await signIn(server, person.email, { openedByLink: true });
  expect((await call('PUT', '/web/password', { body: { password: PASSWORD } })).status).toBe(200);
});

let client = 0;
/** From a new client, by default. */
const tryPassword = (password: string, cookie = '', ip = `10.9.${++client >> 8}.${client & 255}`) =>
  browserWith(server, cookie).call('POST', '/web/sign-in', {
    body: { email: person.email, password },
    headers: { 'x-forwarded-for': ip },
  });
const askForLink = (cookie = '') =>
  browserWith(server, cookie).call('POST', '/web/sign-in-links', {
    body: { email: person.email },
    headers: { 'x-forwarded-for': `10.8.${++client >> 8}.${client & 255}` },
  });

/** `atrium_device=…`, as a response sets it; undefined if it sets none. */
const deviceOf = (reply: { headers: Headers }) =>
  reply.headers
    .getSetCookie()
    .find((line) => line.startsWith('atrium_device='))
    ?.split(';', 1)[0];

async function knownDevice(): Promise<string> {
  const device = deviceOf(await tryPassword(PASSWORD));
  if (device === undefined) throw new Error('signing in set no device cookie');
  return device;
}

describe('the device cookie', () => {
  it('is HttpOnly, lasts a year, is for /web only, and is not stored', async () => {
    const reply = await tryPassword(PASSWORD);
    const [value, ...flags] = reply.headers.getSetCookie()[1]?.split('; ') ?? [];
    expect(value).toMatch(/^atrium_device=c[a-z0-9]{24}\.\w{43}$/);
    expect(flags).toEqual(['Path=/web', 'Max-Age=31536000', 'HttpOnly', 'SameSite=Lax']);
    expect(server.logLines.join('')).not.toContain(value?.split('=')[1]);
  });

  it('survives signing out, and stays the same when its person signs in again', async () => {
    const device = await knownDevice();
    const out = await browserWith(server, device).call('POST', '/web/sign-out');
    expect(deviceOf(out)).toBeUndefined();
    expect(deviceOf(await tryPassword(PASSWORD, device))).toBe(device);
  });

  it('is given to browsers that signed in without it', async () => {
    const browser = await signIn(server, person.email);
    const device = deviceOf(await browser.call('GET', '/web/signed-in'));
    expect(device).toBeDefined();
    const known = browserWith(server, `${browser.cookie}; ${device}`);
    expect(deviceOf(await known.call('GET', '/web/signed-in'))).toBeUndefined();
  });
});

describe('a browser that this person has signed in with', () => {
  it('is not locked out by 300 link requests from elsewhere; others are', async () => {
    const device = await knownDevice();
    const { email } = person;
    const statuses = new Set<number>();
    for (let at = 0; at < 300; at++) statuses.add((await askForLink()).status);
    expect(statuses).toEqual(new Set([200]));
    const refused = await askForLink();
    expectError(refused, 'RATE_LIMIT');
    expect(refused.json.error.details).toEqual({ limit: 300, kind: 'sign-in' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 60 * 60);
    const before = await tokenFor(server, email);
    expect((await askForLink(device)).status).toBe(200);
    expect(await tokenFor(server, email)).not.toBe(before);
  });

  it('is not locked out by wrong passwords from its own network', async () => {
    const device = await knownDevice();
    const office = '10.7.0.1';
    for (let at = 0; at < 2; at++) await tryPassword('wrong', '', office);
    expect((await tryPassword(PASSWORD, '', office)).status).toBe(429);
    expect((await tryPassword(PASSWORD, device, office)).status).toBe(200);
  });

  it('has its own count of wrong passwords, wherever it is', async () => {
    const device = await knownDevice();
    const statuses = [];
    for (let at = 0; at < 3; at++) statuses.push((await tryPassword('wrong', device)).status);
    expect(statuses).toEqual([401, 401, 429]);
    expect((await tryPassword(PASSWORD, device)).status).toBe(429);
    expect((await tryPassword(PASSWORD)).status).toBe(200);
  });

  it('does not count as known for another person, or with a forged signature', async () => {
    const device = await knownDevice();
    const forged = `${device.slice(0, -1)}${device.endsWith('0') ? '1' : '0'}`;
    const [owner, office] = [person, '10.7.0.2'];
    for (let at = 0; at < 2; at++) await tryPassword('wrong', forged, office);
    expect((await tryPassword(PASSWORD, forged, office)).status).toBe(429);
    person = await addPerson(server.db, org.orgId, 'MEMBER');
    for (let at = 0; at < 2; at++) await tryPassword('wrong', device, '10.7.0.3');
    expect((await tryPassword('wrong', device, '10.7.0.3')).status).toBe(429);
    person = owner;
    expect((await tryPassword(PASSWORD, device, '10.7.0.3')).status).toBe(200);
  });

  it('is unknown again after a change of address was undone', async () => {
    const device = await knownDevice();
    await server.db.query(
      'UPDATE users SET device_generation = device_generation + 1 WHERE id = $1',
      [person.userId],
    );
    expect(deviceOf(await tryPassword(PASSWORD, device))).not.toBe(device);
  });
});
