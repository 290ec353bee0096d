import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectError, expectInvalid, problemsOf } from '../harness/clients/envelope.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { connectRaw, format, head, sendRaw } from '../harness/clients/raw-http.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

const server = useTestServer();
const { call } = server;
let org: TestOrg;
let auth: string;

beforeAll(async () => {
  org = await createTestOrg(server.db);
  auth = `Authorization: Bearer ${org.owner.key}`;
});

afterEach(async () => {
  const reply = await call('GET', '/api/projects', { key: org.member.key });
  expect(reply.status, 'a normal request afterwards').toBe(200);
  const names = reply.json.data.items.map((project: { name: string }) => project.name);
  expect(names).not.toContain('Smuggled');
});

const JSON_TYPE = 'Content-Type: application/json';
const create = (name: string, headers: string[] = []) => {
  const body = `{"name":"${name}"}`;
  const request = { method: 'POST', path: '/api/projects', key: org.owner.key, body };
  return format({ ...request, headers: [JSON_TYPE, ...headers] });
};

/** Refused in the envelope, and then nothing more is read from the connection or written to it. */
async function expectRefusedAndClosed(...parts: (string | Uint8Array)[]) {
  const connection = await connectRaw(server.origin);
  const bytes = [...parts, create('Smuggled')].map((part) => Buffer.from(part as string));
  connection.send(Buffer.concat(bytes));
  const reply = await connection.reply();
  expect(expectInvalid(reply)[0]?.code).toBe('malformed');
  expect(reply.headers.get('connection')).toBe('close');
  expect(await connection.closed()).toBe(0);
}

describe('400 and closed: a request with an ambiguous end', () => {
  it.each<[string, string[], string]>([
    ['length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['chunks and length', ['Transfer-Encoding: chunked', 'Content-Length: 5'], '0\r\n\r\n'],
    ['two lengths', ['Content-Length: 2', 'Content-Length: 20'], '{}'],
    ['the same length twice', ['Content-Length: 2', 'Content-Length: 2'], '{}'],
    ['a list of lengths', ['Content-Length: 2, 2'], '{}'],
    ['a signed length', ['Content-Length: +2'], '{}'],
    ['a negative length', ['Content-Length: -2'], '{}'],
    ['a hexadecimal length', ['Content-Length: 0x2'], '{}'],
    ['a length with a fraction', ['Content-Length: 2.0'], '{}'],
    ['no length at all', ['Content-Length:'], '{}'],
    ['a length past 64 bits', ['Content-Length: 99999999999999999999'], '{}'],
    ['gzip', ['Transfer-Encoding: gzip'], '{}'],
    ['gzip, chunked', ['Transfer-Encoding: gzip, chunked'], '0\r\n\r\n'],
    ['chunked, gzip', ['Transfer-Encoding: chunked, gzip'], '0\r\n\r\n'],
    ['identity', ['Transfer-Encoding: identity'], ''],
    ['chunked, identity', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
    ['chunked twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['xchunked', ['Transfer-Encoding: xchunked'], '0\r\n\r\n'],
    ['"chunked"', ['Transfer-Encoding: "chunked"'], '0\r\n\r\n'],
    ['chunked after a vertical tab', ['Transfer-Encoding: \vchunked'], '0\r\n\r\n'],
    ['no transfer encoding', ['Transfer-Encoding:', 'Content-Length: 2'], '{}'],
    ['a space before the colon', ['Transfer-Encoding : chunked'], '0\r\n\r\n'],
    ['a folded header', ['Transfer-Encoding:', ' chunked'], '0\r\n\r\n'],
    ['a letter from another alphabet', ['Transfer-Encoding: chun\u212aed'], '0\r\n\r\n'],
  ])('%s', async (_title, framing, body) => {
    const lines = ['POST /api/projects HTTP/1.1', 'Host: atrium', auth, JSON_TYPE, ...framing];
    await expectRefusedAndClosed(head(...lines), body);
  });

  it.each<[string, string]>([
    ['a size that is not a number', 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a size with a sign', '+2\r\n{}\r\n0\r\n\r\n'],
    ['a negative size', '-2\r\n{}\r\n0\r\n\r\n'],
    ['a size with 0x', '0x2\r\n{}\r\n0\r\n\r\n'],
    ['a size past 64 bits', 'fffffffffffffffff\r\n{}\r\n0\r\n\r\n'],
    ['a chunk longer than its size', '2\r\n{} \r\n0\r\n\r\n'],
    ['bare line feeds', '2\n{}\n0\n\n'],
    ['extensions without end', `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
    ['trailers without end', `2\r\n{}\r\n0\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['a trailer that is not a header', '2\r\n{}\r\n0\r\nno colon\r\n\r\n'],
  ])('chunks: %s', async (_title, body) => {
    const lines = ['POST /api/projects HTTP/1.1', 'Host: atrium', auth, JSON_TYPE];
    await expectRefusedAndClosed(head(...lines, 'Transfer-Encoding: chunked'), body);
  });

  it('chunks in HTTP/1.0', async () => {
    const lines = ['POST /api/projects HTTP/1.0', auth, JSON_TYPE, 'Transfer-Encoding: chunked'];
    await expectRefusedAndClosed(head(...lines), '2\r\n{}\r\n0\r\n\r\n');
  });
});

describe('400 and closed: a head that is not HTTP/1.1', () => {
  it.each<[string, string]>([
    ['bare line feeds', 'GET /api/projects HTTP/1.1\nHost: atrium\n\n'],
    ['one bare line feed', 'GET /api/projects HTTP/1.1\r\nHost: atrium\nA: b\r\n\r\n'],
    ['a bare carriage return', 'GET /api/projects HTTP/1.1\r\nHost: atrium\rA: b\r\n\r\n'],
    ['a space before the first header', 'GET /api/projects HTTP/1.1\r\n Host: atrium\r\n\r\n'],
    ['a space before a colon', 'GET /api/projects HTTP/1.1\r\nHost : atrium\r\n\r\n'],
    ['a header without a name', 'GET /api/projects HTTP/1.1\r\nHost: atrium\r\n: b\r\n\r\n'],
    ['a header without a colon', 'GET /api/projects HTTP/1.1\r\nHost: atrium\r\nab\r\n\r\n'],
    ['NUL in a header', 'GET /api/projects HTTP/1.1\r\nHost: atrium\r\nA: b\0c\r\n\r\n'],
    ['NUL in the path', 'GET /api/projects/\0 HTTP/1.1\r\nHost: atrium\r\n\r\n'],
    ['a tab in the path', 'GET /api/projects/\t HTTP/1.1\r\nHost: atrium\r\n\r\n'],
    ['a path in raw UTF-8', 'GET /api/projects/é HTTP/1.1\r\nHost: atrium\r\n\r\n'],
    ['a space in the path', 'GET /api/pro jects HTTP/1.1\r\nHost: atrium\r\n\r\n'],
    ['a fragment in the path', 'GET /api/projects#top HTTP/1.1\r\nHost: atrium\r\n\r\n'],
    ['no path', 'GET HTTP/1.1\r\nHost: atrium\r\n\r\n'],
    ['no version', 'GET /api/projects\r\nHost: atrium\r\n\r\n'],
    ['HTTP/0.9', 'GET /api/projects HTTP/0.9\r\nHost: atrium\r\n\r\n'],
    ['HTTP/1.2', 'GET /api/projects HTTP/1.2\r\nHost: atrium\r\n\r\n'],
    ['HTTP/2.0', 'GET /api/projects HTTP/2.0\r\nHost: atrium\r\n\r\n'],
    ["HTTP/2's preface", 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', 'BREW /api/projects HTTP/1.1\r\nHost: atrium\r\n\r\n'],
    ['a method in lower case', 'get /api/projects HTTP/1.1\r\nHost: atrium\r\n\r\n'],
    ['two Host headers', 'GET /api/projects HTTP/1.1\r\nHost: atrium\r\nHost: other\r\n\r\n'],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['noise', '\r\n\r\n\0\x01\x02\x03'],
    ['a header of 20 kB', `GET / HTTP/1.1\r\nHost: atrium\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['a name of 20 kB', `GET / HTTP/1.1\r\nHost: atrium\r\n${'a'.repeat(20_000)}: a\r\n\r\n`],
    ['a URL of 20 kB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: atrium\r\n\r\n`],
    ['2,500 headers', `GET / HTTP/1.1\r\nHost: atrium\r\n${'a:\r\n'.repeat(2_500)}\r\n`],
  ])('%s', async (_title, text) => {
    await expectRefusedAndClosed(text);
  });

  it('400: no Host header', async () => {
    const reply = await sendRaw(server.origin, head('GET /api/projects HTTP/1.1', auth));
    expect(problemsOf(reply)).toEqual(['header.host required']);
  });

  it('401: a second Authorization header, after however many others', async () => {
    const many = Array.from({ length: 500 }, () => 'a:');
    for (const between of [[], many]) {
      const lines = ['Host: atrium', auth, ...between, 'authorization: Bearer atr_other'];
      expectError(
        await sendRaw(server.origin, head('GET /api/projects HTTP/1.1', ...lines)),
        'AUTH_ERROR',
      );
    }
  });

  it('200: HTTP/1.0, without a Host header; the connection is closed', async () => {
    const connection = await connectRaw(server.origin);
    connection.send(head('GET /api/projects HTTP/1.0', auth));
    expect((await connection.reply()).status).toBe(200);
    expect(await connection.closed()).toBe(0);
  });

  it('200: an Upgrade header is ignored', async () => {
    for (const upgrade of ['websocket', 'h2c']) {
      const headers = ['Connection: Upgrade', `Upgrade: ${upgrade}`];
      const request = format({ path: '/api/projects', key: org.owner.key, headers });
      expect((await sendRaw(server.origin, request)).status).toBe(200);
    }
  });
});

describe('Expect', () => {
  it('400: anything but 100-continue, with the id of the request', async () => {
    const connection = await connectRaw(server.origin);
    const request = create('Expected', ['Expect: tea', 'X-Request-Id: mine']);
    connection.send(Buffer.concat([request, create('Smuggled')]));
    const reply = await connection.reply();
    expectInvalid(reply);
    expect(reply.headers.get('x-request-id')).toBe('mine');
    expect(await connection.closed()).toBe(0);
  });

  it('100 and 201: 100-continue', async () => {
    const connection = await connectRaw(server.origin);
    const request = create('Continued', ['Expect: 100-continue']);
    const bodyAt = request.indexOf('\r\n\r\n') + 4;
    connection.send(request.subarray(0, bodyAt));
    expect((await connection.reply()).status).toBe(100);
    connection.send(request.subarray(bodyAt));
    expect((await connection.reply()).status).toBe(201);
    connection.destroy();
  });
});

describe('methods', () => {
  it('404 with Allow: every method the path does not have, without a key', async () => {
    for (const method of METHODS) {
      if (['GET', 'HEAD', 'POST', 'CONNECT'].includes(method)) continue;
      const reply = await sendRaw(
        server.origin,
        format({ method, path: '/api/projects', body: '' }),
      );
      expectError(reply, 'NOT_FOUND');
      expect(reply.headers.get('allow')).toBe('GET, HEAD, POST');
    }
  });

  it('404 with Allow: also outside the API', async () => {
    for (const path of ['/api/openapi.json', '/healthz', '/readyz', '/docs']) {
      const reply = await call('POST', path);
      expectError(reply, 'NOT_FOUND');
      expect(reply.headers.get('allow')).toBe('GET, HEAD');
    }
  });

  it('404 and closed: CONNECT', async () => {
    const connection = await connectRaw(server.origin);
    connection.send(head('CONNECT example.com:443 HTTP/1.1', 'Host: x', 'X-Request-Id: tunnel'));
    connection.send(create('Smuggled'));
    const reply = await connection.reply();
    expectError(reply, 'NOT_FOUND');
    expect(reply.headers.get('x-request-id')).toBe('tunnel');
    expect(await connection.closed()).toBe(0);
  });

  it('CONNECT, reset by its sender, does no harm', async () => {
    for (let round = 0; round < 20; round++) {
      const { socket } = await connectRaw(server.origin);
      socket.write(head('CONNECT example.com:443 HTTP/1.1', 'Host: x'), () => {
        if (round % 2) socket.resetAndDestroy();
        else setImmediate(() => socket.resetAndDestroy());
      });
      await once(socket, 'close');
    }
  });
});

const IMPOSSIBLE_IDS = [
  'x',
  '%00',
  '%2e%2e',
  '%2F',
  '🚀',
  'c'.repeat(25),
  'c'.repeat(10_000),
  '%25zz',
];
const withTitle = (text: string): [string, string] => [text.slice(0, 30), text];

describe('paths', () => {
  it.each(
    [
      '/api',
      '/api/',
      '//api/projects',
      '/api//projects',
      '/api/projects/',
      '/API/projects',
      '/api/Projects',
      '/api/./projects',
      '/x/../api/projects',
      '/api/projects;v=1',
      '/api/projects%2F',
      '/api/projects%00',
      '/api/projects%zz',
      '/api/projects/%zz',
      '/api/projects/%',
      '/api/projects/%c3%28',
      '/api/projects/%ed%a0%80',
      '*',
      'ftp://atrium/api/projects',
      'http://atrium',
      `/${'a'.repeat(15_000)}`,
    ].map(withTitle),
  )('404 without a key: %s', async (_title, path) => {
    expectError(await sendRaw(server.origin, format({ path })), 'NOT_FOUND');
  });

  it.each(IMPOSSIBLE_IDS.map(withTitle))(
    '404 for an id that cannot be, 401 before that without a key: %s',
    async (_title, id) => {
      const path = `/api/projects/${encodeURI(id).replaceAll('%25', '%')}`;
      expectError(await sendRaw(server.origin, format({ path })), 'AUTH_ERROR');
      expectError(await sendRaw(server.origin, format({ path, key: org.owner.key })), 'NOT_FOUND');
    },
  );

  it("403: a malformed org id is not the caller's", async () => {
    for (const id of ['x', '%00', 'c'.repeat(10_000)]) {
      const path = `/api/org/${id}/api-keys`;
      const details = expectError(
        await sendRaw(server.origin, format({ path, key: org.owner.key })),
        'FORBIDDEN',
      );
      expect(details).toEqual({ reason: 'wrong_org' });
    }
  });

  it('200: the whole URL in the request line, as proxies write it', async () => {
    const key = org.owner.key;
    for (const target of [
      'http://atrium/api/projects?limit=1',
      'HTTPS://other:1/api/projects?limit=1',
    ]) {
      expect((await sendRaw(server.origin, format({ path: target, key }))).json.data.limit).toBe(1);
    }
    const reply = await sendRaw(
      server.origin,
      format({ method: 'DELETE', path: 'http://atrium/api/projects' }),
    );
    expect(reply.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it.each<[string, string]>([
    ['a broken escape', 'limit=%zz'],
    ['invalid UTF-8', 'limit=%ff'],
    ['a name twice', 'limit=1&limit=1'],
    ['a name twice, once escaped', 'limit=1&l%69mit=1'],
    ['an unknown name', 'limits=1'],
    ['__proto__', '__proto__=1'],
    ['an array', 'limit[]=1'],
    ['an object', 'page[a]=1'],
    ['no name', '=1'],
    ['NUL', 'limit=1%00'],
    ['a number in another alphabet', 'limit=%d9%a1'],
    ['an exponent', 'limit=1e1'],
    ['white space', 'limit=+1'],
    ['nothing', 'limit='],
    ['10 kB', `a=${'a'.repeat(10_000)}`],
  ])('400: %s in the query', async (_title, query) => {
    const path = `/api/projects?${query}`;
    const reply = await sendRaw(server.origin, format({ path, key: org.owner.key }));
    expect(expectInvalid(reply)[0]?.location).toMatch(/^query/);
    expect(reply.text.length).toBeLessThan(1_000);
  });
});

describe('several requests on a connection', () => {
  it('201, 201, then 400: noise after valid requests does not affect their responses', async () => {
    const connection = await connectRaw(server.origin);
    connection.send(
      Buffer.concat([create('First'), create('Second'), Buffer.from('noise\r\n\r\n')]),
    );
    expect((await connection.reply()).json.data.name).toBe('First');
    expect((await connection.reply()).json.data.name).toBe('Second');
    expectInvalid(await connection.reply());
    expect(await connection.closed()).toBe(0);
  });

  it('401 once: a malformed body after an early response gets no second response', async () => {
    const connection = await connectRaw(server.origin);
    const headers = [JSON_TYPE, 'Transfer-Encoding: chunked'];
    connection.send(format({ method: 'POST', path: '/api/projects', headers }));
    expectError(await connection.reply(), 'AUTH_ERROR');
    connection.send('zz\r\n\r\n');
    expect(await connection.closed()).toBe(0);
  });

  it('400 once: to a stream of noise', async () => {
    const connection = await connectRaw(server.origin);
    for (let sent = 0; sent < 50; sent++) connection.send(Buffer.alloc(100_000));
    expectInvalid(await connection.reply());
    expect(await connection.closed()).toBe(0);
  });

  it.each([head('CONNECT x:1 HTTP/1.1', 'Host: x'), 'noise\r\n\r\n'])(
    'a client that stays connected after being refused is disconnected: %j',
    async (text) => {
      const { hostname: host, port } = new URL(server.origin);
      const socket = connect({ host, port: Number(port), allowHalfOpen: true });
      socket.on('error', () => {});
      socket.resume().write(text);
      const noise = setInterval(() => socket.write('x'), 50);
      await new Promise((resolve) => socket.once('close', resolve));
      clearInterval(noise);
    },
  );

  it('a sender who disconnects while sending a body is not a server error', async () => {
    const connection = await connectRaw(server.origin);
    connection.send(create('Never').subarray(0, -3));
    await call('GET', '/api/projects', { key: org.owner.key });
    connection.destroy();
    await call('GET', '/api/projects', { key: org.owner.key });
    expect(server.logLines.join('')).not.toMatch(/failed|"status":500/);
  });

  it('400: a sender who ends the connection in the middle of a body', async () => {
    const connection = await connectRaw(server.origin);
    connection.send(create('Half').subarray(0, -3));
    connection.socket.end();
    expectInvalid(await connection.reply());
    expect(await connection.closed()).toBe(0);
  });

  it('requests after one with Connection: close are ignored', async () => {
    const connection = await connectRaw(server.origin);
    connection.send(Buffer.concat([create('Last', ['Connection: close']), create('Smuggled')]));
    expect((await connection.reply()).json.data.name).toBe('Last');
    expect(await connection.closed()).toBe(0);
  });
});
