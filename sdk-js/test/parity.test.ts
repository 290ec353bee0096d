import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Atrium, AtriumMemory } from '../src/index.ts';
import type { ExpectedOfAtrium, ExpectedOfAtriumMemory } from './expected-methods.ts';

/** Strictly the same type, apart from parameter names. */
/* oxlint-disable typescript/no-unnecessary-type-parameters */
type Same<A, B> =
  (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;
/* oxlint-enable typescript/no-unnecessary-type-parameters */
type MethodOf<Client, Name> = Name extends `${infer Namespace}.${infer Method}`
  ? Namespace extends keyof Client
    ? Method extends keyof Client[Namespace]
      ? Client[Namespace][Method]
      : 'the method is missing'
    : 'the namespace is missing'
  : never;
type Checked<Client, Expected> = {
  [Name in keyof Expected]: Same<MethodOf<Client, Name>, Expected[Name]>;
};
type AllTrue<Expected> = Record<keyof Expected, true>;

// `tsc` rejects these lines if a method is missing, or its parameters or result differ from the API.
const v2Types = {} as Checked<Atrium, ExpectedOfAtrium> satisfies AllTrue<ExpectedOfAtrium>;
const v1Types = {} as Checked<
  AtriumMemory,
  ExpectedOfAtriumMemory
> satisfies AllTrue<ExpectedOfAtriumMemory>;
void [v2Types, v1Types];

interface Parameter {
  name: string;
  in: string;
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { example?: unknown } } };
}

type Methods = Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>>;

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../openapi/${name}.json`, import.meta.url), 'utf8'));
const names: Record<string, string> = read('sdk-methods');
const baseURL = 'http://atrium.test/api';
const v1Key = `sk_live_${'a'.repeat(46)}`;
const v2Key = `atr_${'a'.repeat(46)}`;

interface Sent {
  method: string;
  url: string;
  headers: Headers;
  body: unknown;
}

let sent: Sent[] = [];
const fetch: typeof globalThis.fetch = async (url, init) => {
  const { method = '', headers, body } = init ?? {};
  sent.push({ method, url: url as string, headers: new Headers(headers), body });
  return Response.json({ success: true, data: { items: [], total: 0 } });
};

describe.each([
  ['v2', read('v2'), new Atrium({ apiKey: v2Key, baseURL, fetch }), baseURL],
  ['v1', read('v1'), new AtriumMemory({ apiKey: v1Key, baseURL, fetch }), `${baseURL}/v1`],
])('%s: every operation has a method', (_, document, client, base) => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([verb, operation]) => ({
      verb,
      path,
      operation,
    })),
  );

  it.each(operations)('$operation.operationId', async ({ verb, path, operation }) => {
    const { operationId, parameters = [], requestBody } = operation;
    const [namespace = '', name = ''] = (names[operationId] ?? '').split('.');
    expect(name, `openapi/sdk-methods.json does not name ${operationId}`).not.toBe('');
    const methods = client as unknown as Methods;
    expect(methods[namespace]?.[name], `client.${namespace}.${name} is missing`).toBeTypeOf(
      'function',
    );

    const ids = parameters.filter((p) => p.in === 'path').map((p) => `${p.name}/é`);
    const query = Object.fromEntries(
      parameters.filter((p) => p.in === 'query').map((p) => [p.name, '1']),
    );
    const body = requestBody && (requestBody.content['application/json'].example ?? {});
    const params = body ?? (Object.keys(query).length > 0 ? query : undefined);
    sent = [];
    const called = methods[namespace]?.[name]?.(...ids, ...(params ? [params] : []), {
      headers: { 'x-last': 'yes' },
    });
    // A stream sends its request when it is read, and this response is not a stream.
    const stream = called as unknown as Partial<AsyncGenerator>;
    await (stream.next ? expect(stream.next()).rejects.toThrow('not a response') : called);

    expect(sent).toHaveLength(1);
    const [request] = sent;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, field: string) =>
      encodeURIComponent(`${field}/é`),
    );
    const search = new URLSearchParams(query).toString();
    expect(request?.method).toBe(verb.toUpperCase());
    expect(request?.url).toBe(`${base}${filled}${search && `?${search}`}`);
    expect(request?.body).toBe(body && JSON.stringify(body));
    expect(request?.headers.get('x-last'), 'options are the last argument').toBe('yes');
    const takesKey =
      parameters.some((p) => p.name === 'Idempotency-Key') && !path.endsWith('/search');
    expect(request?.headers.has('Idempotency-Key')).toBe(takesKey);
  });

  it('every method has an operation, except the helpers', () => {
    const known = new Set(operations.map(({ operation }) => names[operation.operationId]));
    const extra = Object.entries(client).flatMap(([namespace, methods]) =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(methods))
        .map((method) => `${namespace}.${method}`)
        .filter((name) => !name.endsWith('.constructor') && !known.has(name)),
    );
    const helpers = new Set([
      'messages.postAndWait',
      'memory.createMany',
      'memories.createMany',
      'files.upload',
      'files.waitUntilReady',
    ]);
    expect(extra.filter((name) => !helpers.has(name))).toEqual([]);
  });
});
