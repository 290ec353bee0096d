import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Atrium, AtriumMemory, UsageError, type AtriumOptions } from '../src/index.ts';

const apiKey = `atr_${'a'.repeat(46)}`;
const v1Key = `sk_live_${'a'.repeat(46)}`;

afterEach(() => vi.unstubAllEnvs());

/** The URL and headers of a request from a client with these options. */
async function sentBy(
  options: AtriumOptions,
  Client: typeof Atrium | typeof AtriumMemory = Atrium,
) {
  let sent: { url: string; headers: Headers; init: RequestInit | undefined } | undefined;
  const fetch: typeof globalThis.fetch = async (url, init) => {
    sent = { url: url as string, headers: new Headers(init?.headers), init };
    return Response.json({ success: true, data: { items: [], total: 0 } });
  };
  const client = new Client({ ...options, fetch });
  await ('memories' in client ? client.memories.list() : client.projects.list());
  if (!sent) throw new Error('nothing was sent');
  return sent;
}

describe('the API key', () => {
  it('comes from apiKey or else ATRIUM_API_KEY, without surrounding whitespace', async () => {
    vi.stubEnv('ATRIUM_API_KEY', `${apiKey}\n`);
    expect((await sentBy({})).headers.get('authorization')).toBe(`Bearer ${apiKey}`);
    const other = `atr_${'b'.repeat(46)}`;
    const { headers } = await sentBy({ apiKey: other });
    expect(headers.get('authorization')).toBe(`Bearer ${other}`);
  });

  it.each([
    [{}, /API key missing.*apiKey.*ATRIUM_API_KEY/],
    [{ apiKey: '' }, /API key missing/],
    [{ apiKey: v1Key }, /sk_live_ key is for new AtriumMemory/],
    [{ apiKey: `Bearer ${apiKey}` }, /without "Bearer"/],
    [{ apiKey: 'atr_ä' }, /Invalid API key/],
    [{ apiKey: 'atr_a\nb' }, /Invalid API key/],
  ])('%j is rejected: %s', (options, message) => {
    vi.stubEnv('ATRIUM_API_KEY', undefined);
    expect(() => new Atrium(options)).toThrow(UsageError);
    expect(() => new Atrium(options)).toThrow(message);
  });

  it('AtriumMemory rejects a v2 key and names the client to use', () => {
    expect(() => new AtriumMemory({ apiKey })).toThrow(/atr_ key is for new Atrium\(/);
  });

  it('appears neither in errors nor in a printed client', () => {
    const secret = `atr_${'s3cret'.repeat(8)} `;
    expect(inspect(new Atrium({ apiKey: secret }), { depth: 9, showHidden: true })).not.toMatch(
      's3cret',
    );
    try {
      void new Atrium({ apiKey: `${secret}\u0000x` });
      expect.unreachable();
    } catch (error) {
      expect(inspect(error)).not.toContain('s3cret');
    }
  });
});

describe('the base URL', () => {
  it.each([
    [undefined, undefined, 'http://127.0.0.1:3000/api/projects'],
    [undefined, 'https://atrium.example.com/api', 'https://atrium.example.com/api/projects'],
    [
      'https://a.example.com/api',
      'https://b.example.com/api',
      'https://a.example.com/api/projects',
    ],
    ['https://a.example.com/api///', undefined, 'https://a.example.com/api/projects'],
    ['https://a.example.com/sub/api', undefined, 'https://a.example.com/sub/api/projects'],
  ])('baseURL %s and ATRIUM_BASE_URL %s give %s', async (baseURL, variable, url) => {
    vi.stubEnv('ATRIUM_BASE_URL', variable);
    expect((await sentBy({ apiKey, baseURL })).url).toBe(url);
  });

  it.each(['http://h/api', 'http://h/api/v1', 'http://h/api/v1/'])(
    '%s works for AtriumMemory',
    async (baseURL) => {
      expect((await sentBy({ apiKey: v1Key, baseURL }, AtriumMemory)).url).toBe(
        'http://h/api/v1/memories',
      );
    },
  );

  it.each([
    ['127.0.0.1:3000/api', /must start with http:\/\/ or https:\/\/.*127\.0\.0\.1:3000\/api/],
    ['localhost:3000/api', /must start with http/],
    ['ftp://h/api', /must start with http/],
    ['http://[', /is invalid/],
    ['http://h/api?x=1', /is invalid/],
    ['http://me:pass@h/api', /user name or password/],
    ['me:pass@h/api', /user name or password/],
    ['http://h/api/v1', /AtriumMemory/],
  ])('%s is rejected: %s', (baseURL, message) => {
    expect(() => new Atrium({ apiKey, baseURL })).toThrow(UsageError);
    expect(() => new Atrium({ apiKey, baseURL })).toThrow(message);
  });
});

describe("auth: 'cookie'", () => {
  it('sends the organisation and no key, not even one from the environment', async () => {
    vi.stubEnv('ATRIUM_API_KEY', apiKey);
    const { headers, init } = await sentBy({
      auth: 'cookie',
      org: 'corg',
      baseURL: 'http://h/api',
    });
    expect(headers.has('authorization')).toBe(false);
    expect(headers.get('atrium-org')).toBe('corg');
    expect(init?.credentials).toBe('same-origin');
  });

  it('is rejected together with a key; without it, an org is rejected', () => {
    expect(() => new Atrium({ auth: 'cookie', apiKey })).toThrow(/either apiKey or auth/);
    expect(() => new Atrium({ apiKey, org: 'corg' })).toThrow(/org only works with auth: 'cookie'/);
  });
});

describe('other options', () => {
  it.each([
    [{ timeout: 0 }, /timeout/],
    [{ timeout: Number.NaN }, /timeout/],
    [{ maxRetries: -1 }, /maxRetries/],
    [{ maxRetries: 1.5 }, /maxRetries/],
    [{ headers: { 'not a name': 'x' } }, /header "not a name"/],
  ])('%j is rejected', (options, message) => {
    expect(() => new Atrium({ apiKey, ...options })).toThrow(message);
  });

  it('client.spaces is an alias of client.projects and warns once', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const client = new Atrium({ apiKey });
    // oxlint-disable-next-line typescript/no-deprecated
    expect(client.spaces).toBe(client.projects);
    // oxlint-disable-next-line typescript/no-deprecated
    expect(new Atrium({ apiKey }).spaces).toBeDefined();
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('client.projects'));
  });

  it('docs/migration-0.3.md maps every method that client.spaces had', async () => {
    const sinceThen = ['restore'];
    const guide = await readFile(new URL('../../docs/migration-0.3.md', import.meta.url), 'utf8');
    const { projects } = new Atrium({ apiKey });
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(projects));
    for (const method of methods.filter((name) => !['constructor', ...sinceThen].includes(name))) {
      expect(guide).toContain(`| \`client.spaces.${method}\``);
      expect(guide).toContain(`| \`client.projects.${method}\` |`);
    }
  });
});
