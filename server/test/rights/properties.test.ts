import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isEmail } from '../../src/core/email.ts';
import { SCOPES } from '../../src/features/keys/scopes.ts';
import { slugify } from '../../src/text/slug.ts';
import { findHiddenCharacter } from '../../src/core/hidden-characters.ts';
import { fullPath } from '../../src/http/route.ts';
import { ROUTES } from '../../src/app/api.ts';
import type { Reply } from '../harness/clients/client.ts';
import { countWork } from '../harness/counting/count-work.ts';
import { expectError, expectInvalid } from '../harness/clients/envelope.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { connectRaw, format } from '../harness/clients/raw-http.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

const server = useTestServer();
const { call } = server;
let org: TestOrg;

beforeAll(async () => {
  org = await createTestOrg(server.db);
});

/** Text of every kind: letters of all alphabets, characters that must not be stored, and whitespace that is trimmed. */
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('\0', '\ud83d', '\ude80', ' ', '\n', 'a', 'é') }),
  fc.string({ unit: fc.constantFrom(' ', 'x', '𝒳'), minLength: 40, maxLength: 130 }),
);

/** The names of fields and parameters that some route knows. */
const FIELDS = [
  'name description tags access title model body parentMessageId emoji email role scopes before',
  'participantUserIds defaultAgent messageId around limit page status gracePeriodSeconds query',
  'content visibility projectId',
].flatMap((names) => names.split(' '));

describe('every response', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'];
  const segment = fc.oneof(
    fc.constantFrom('api', 'projects', 'keys', 'org', 'members', 'rotate', '', '..', '%00', '%zz'),
    fc.constantFrom('spaces', 'sessions', 'messages', 'reactions', 'invitations', 'accept', 'me'),
    fc.constantFrom('caaaaaaaaaaaaaaaaaaaaaaaa', 'v1', 'memory', 'search', 'a%00b', 'audit'),
    fc.string({ unit: 'grapheme' }).map(encodeURIComponent),
  );
  const query = fc.oneof(
    fc.constantFrom('', '?', '?limit=1', '?limit=0', '?a=%', '?page=1&page=1'),
    fc.webQueryParameters().map((text) => `?${text.replaceAll('#', '')}`),
  );
  const path = fc
    .tuple(fc.array(segment, { maxLength: 5 }), query)
    .map(([segments, query]) => `/api/${segments.join('/')}${query}`);
  const header = fc
    .tuple(
      fc.constantFrom(
        'Content-Type',
        'Content-Encoding',
        'X-Request-Id',
        'Idempotency-Key',
        'Origin',
      ),
      fc.oneof(
        fc.constantFrom('application/json', 'application/json; charset=utf-8', 'gzip', 'identity'),
        fc.string({
          unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
        }),
      ),
    )
    .filter(([, value]) => !value.includes('\x7f'))
    .map(([name, value]) => `${name}: ${value}`);
  const body = fc.option(
    fc.oneof(
      fc.json(),
      fc.uint8Array(),
      anyText.map((name) => JSON.stringify({ name })),
    ),
    { nil: undefined },
  );

  it('is in the envelope, with a status of the contract, and never 500', async () => {
    const request = fc.record({
      method: fc.constantFrom(...methods),
      path,
      hasKey: fc.boolean(),
      headers: fc.array(header, { maxLength: 3 }),
      body,
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ method, path, hasKey, headers, body }) => {
        const key = hasKey ? org.owner.key : undefined;
        const connection = await connectRaw(server.origin);
        connection.send(
          format({ method, path, key, headers, ...(body !== undefined && { body }) }),
        );
        const reply = await connection.reply({ head: method === 'HEAD' });
        connection.destroy();
        expect([200, 201, 204, 400, 401, 403, 404, 409]).toContain(reply.status);
        expect(reply.headers.get('x-request-id')).toMatch(/^[\w.-]{1,128}$/);
        if (reply.status !== 204 && method !== 'HEAD') expectEnvelope(reply);
      }),
      { numRuns: 250 },
    );
  });

  it('is valid on every route, whatever is put into path, query and body', async () => {
    const ids = await createRecords();
    const value = fc.oneof(anyText, fc.jsonValue(), fc.constantFrom(null, 0, -1, 1e300, ...ids));
    const param = fc.oneof(segment, fc.constantFrom('known', ...ids, ...ids));
    const term = fc.tuple(fc.constantFrom(...FIELDS), fc.oneof(segment, fc.constantFrom(...ids)));
    const request = fc.record({
      route: fc.constantFrom(...ROUTES),
      params: fc.array(param, { minLength: 3, maxLength: 3 }),
      terms: fc.array(term, { maxLength: 2 }),
      body: fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 3 }),
      isRepeatable: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ route, params, terms, body, isRepeatable }) => {
        const rest = [...params];
        const path = fullPath(route)
          .replace('{orgId}', org.orgId)
          .replaceAll(/\{\w+\}/g, () => rest.pop() ?? 'x');
        const query = terms.map(([name, text]) => `${name}=${text}`).join('&');
        const reply = await call(route.method, `${path}${query && `?${query}`}`, {
          key: org.member.key,
          headers: isRepeatable ? { 'idempotency-key': randomUUID() } : {},
          ...(route.method !== 'GET' && { body }),
        });
        expect([200, 201, 204, 400, 401, 403, 404, 409], reply.text).toContain(reply.status);
        const isFileOrStream = route.fileType !== undefined || route.isStream === true;
        if (reply.status !== 204 && !(reply.status === 200 && isFileOrStream))
          expectEnvelope(reply);
      }),
      { numRuns: 300 },
    );
  });

  /** A Project with a session and a message, for requests that find something. */
  async function createRecords(): Promise<string[]> {
    const create = async (path: string, body: object): Promise<string> =>
      (await call('POST', path, { key: org.member.key, body })).json.data.id;
    const project = await create('/api/projects', { name: 'Known' });
    const session = await create('/api/spaces/known/sessions', { name: 'Known' });
    const path = `/api/spaces/known/sessions/${session}/messages`;
    return [project, session, await create(path, { body: 'Known' }), org.admin.userId];
  }

  function expectEnvelope({ status, headers, json }: Reply): void {
    const { timestamp, requestId } = json.metadata;
    expect(new Date(timestamp).toISOString()).toBe(timestamp);
    expect(requestId).toBe(headers.get('x-request-id'));
    expect(json.success).toBe(status < 300);
    expect(json).toHaveProperty(status < 300 ? 'data' : 'error.details');
  }
});

const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0');
const length = (text: string) => Array.from(text).length;
const isText = (value: unknown, min: number, max: number): value is string =>
  typeof value === 'string' && isStorable(value) && length(value) >= min && length(value) <= max;
const isTrimmedText = (value: unknown, max: number) =>
  typeof value === 'string' &&
  isText(value.trim(), 1, max) &&
  findHiddenCharacter(value.trim()) === undefined;
const isMissing = (value: unknown) => value === undefined || value === null;

type Body = Record<string, unknown>;

/** Replaces some fields by any value, and sometimes drops a field or adds an unknown one. */
function bodyWith(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Body> {
  const strange = fc.oneof(fc.jsonValue(), fc.constantFrom(null, '', 0, [], {}));
  const shape = Object.entries(fields).map(([name, good]): [string, fc.Arbitrary<unknown>] => [
    name,
    fc.oneof({ weight: 4, arbitrary: good }, strange),
  ]);
  const known = fc.record(Object.fromEntries(shape), { requiredKeys: ['name'] });
  const unknown = fc.dictionary(anyText, fc.jsonValue(), { maxKeys: 1 });
  return fc.oneof(
    { weight: 4, arbitrary: known },
    fc.tuple(known, unknown).map(([a, b]) => ({ ...b, ...a })),
  );
}

function hasOnly(body: Body, names: string[]): boolean {
  return Object.keys(body).every((name) => names.includes(name));
}

/** Every location in a 400 exists in the body that was sent, or something is missing there. */
function expectRealLocations(reply: Reply, body: Body): void {
  const errors = expectInvalid(reply);
  expect(new Set(errors.map(({ location }) => location)).size).toBe(errors.length);
  for (const { location, code } of errors) {
    expect(location.startsWith('body')).toBe(true);
    const steps = location.slice(4).match(/\.[\w-]+|\[\d+\]|\["(?:[^"\\]|\\.)*"\]/g) ?? [];
    expect(`body${steps.join('')}`).toBe(location);
    if (!exists(body, steps)) {
      expect([code, exists(body, steps.slice(0, -1))]).toEqual(['required', true]);
    }
  }
}

function exists(value: unknown, [step, ...rest]: string[]): boolean {
  if (step === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  const key: string = step.startsWith('.') ? step.slice(1) : String(JSON.parse(step)[0]);
  const shown = (name: string) =>
    (name.length > 50 ? `${name.slice(0, 50)}…` : name).toWellFormed();
  return Object.entries(value).some(
    ([name, inner]) => (name === key || shown(name) === key) && exists(inner, rest),
  );
}

describe('a body', () => {
  it('of POST /projects is stored as intended, or refused for what is wrong with it', async () => {
    const tags = fc.array(fc.oneof(anyText, fc.constantFrom('a', ' a', 'b')), { maxLength: 22 });
    const bodies = bodyWith({
      name: anyText,
      description: fc.oneof(anyText, fc.string({ minLength: 1990, maxLength: 2010 })),
      tags,
      access: fc.constantFrom('ORG', 'MEMBERS'),
    });
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const reply = await call('POST', '/api/projects', { key: org.owner.key, body });
        const expected = expectedProject(body);
        if (!expected) return expectRealLocations(reply, body);
        if (reply.status === 409) return void expectError(reply, 'CONFLICT');
        expect(reply.status, reply.text).toBe(201);
        const path = `/api/projects/${reply.json.data.id}`;
        const { json } = await call('GET', path, { key: org.owner.key });
        expect(json.data).toEqual(reply.json.data);
        expect(json.data).toMatchObject(expected);
      }),
      { numRuns: 150 },
    );
  });

  function expectedProject(body: Body): object | undefined {
    const { name, description, tags, access } = body;
    const isGood =
      hasOnly(body, ['name', 'description', 'tags', 'access']) &&
      isTrimmedText(name, 120) &&
      isStorable(name as string) &&
      (isMissing(description) || isText(description, 0, 2000)) &&
      (isMissing(tags) || isTagList(tags)) &&
      (isMissing(access) || access === 'ORG' || access === 'MEMBERS');
    if (!isGood) return undefined;
    return {
      name: (name as string).trim(),
      description: description ?? null,
      tags: [...new Set(((tags ?? []) as string[]).map((tag) => tag.trim()))],
      access: access ?? 'ORG',
    };
  }

  function isTagList(tags: unknown): boolean {
    return Array.isArray(tags) && tags.length <= 20 && tags.every((tag) => isTrimmedText(tag, 50));
  }

  it('of POST /keys is stored as intended, or refused for what is wrong with it', async () => {
    const scope = fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...SCOPES) }, anyText);
    const bodies = bodyWith({ name: anyText, scopes: fc.array(scope, { maxLength: 6 }) });
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const reply = await call('POST', '/api/keys', { key: org.admin.key, body });
        const { name, scopes } = body;
        const isGood =
          hasOnly(body, ['name', 'scopes']) && isTrimmedText(name, 120) && isScopeList(scopes);
        if (!isGood) return expectRealLocations(reply, body);
        expect(reply.status, reply.text).toBe(201);
        const { secret: _, ...key } = reply.json.data;
        const { json } = await call('GET', '/api/keys', { key: org.admin.key });
        expect(json.data.items[0]).toEqual(key);
        expect(key.name).toBe((name as string).trim());
        expect(key.scopes).toEqual([...new Set(scopes as string[])]);
        // The number of live keys is limited.
        await call('DELETE', `/api/keys/${key.id}`, { key: org.admin.key });
      }),
      { numRuns: 120 },
    );
  });

  function isScopeList(scopes: unknown): boolean {
    return (
      Array.isArray(scopes) && scopes.length > 0 && scopes.every((scope) => SCOPES.includes(scope))
    );
  }
});

describe('slugify', () => {
  it('gives at most 60 of a-z, 0-9 and single dashes between them, and keeps its own results', () => {
    const words = fc.string({
      unit: fc.constantFrom('-', ' ', '’', 'ß', 'Щ', 'ﬁ', 'é', 'İ', 'a', '9'),
      maxLength: 130,
    });
    const long = fc.string({
      unit: fc.constantFrom('a', '9', 'ß', ' '),
      minLength: 55,
      maxLength: 130,
    });
    fc.assert(
      fc.property(fc.oneof(anyText, words, long), (name) => {
        const slug = slugify(name);
        expect(slug).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/);
        expect(slug.length).toBeLessThanOrEqual(60);
        expect(slugify(slug)).toBe(slug);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('isEmail', () => {
  it('refuses line breaks and other control characters anywhere', () => {
    const control = fc.constantFrom(
      '\r',
      '\n',
      '\r\nBcc: x@y.z\r\n',
      '\0',
      '\u2028',
      '\u0085',
      '\t',
      ' ',
    );
    const part = fc.constantFrom('', 'ada', 'ada@example.com', 'example.com', '@', 'a@b');
    fc.assert(
      fc.property(part, control, part, (before, text, after) => {
        expect(isEmail(before + text + after)).toBe(false);
      }),
    );
  });

  it('accepts 254 characters, not more', () => {
    expect(isEmail(`a@${'b.'.repeat(125)}cc`)).toBe(true);
    expect(isEmail(`a@${'b.'.repeat(125)}ccc`)).toBe(false);
  });

  it('takes a bounded number of steps, whatever the input', () => {
    const piece = fc.constantFrom('a', '.', '-', '@', 'a.', 'a-', '.@', 'ä', '𝒳', '"', '(', '\\');
    fc.assert(
      fc.property(fc.tuple(piece, piece, piece), ([first, second, third]) => {
        for (const size of [250, 100_000]) {
          const text = first.repeat(size) + second + third.repeat(size);
          const work = countWork(() => {
            isEmail(text.slice(0, 254));
            isEmail(text);
          });
          // Ten steps for each of 254 letters: reading each label again from each letter would take 32,000.
          expect(work).toBeLessThan(10_000);
        }
      }),
    );
  });
});
