import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { expectError, problemsOf } from '../harness/clients/envelope.ts';
import {
  connectRaw,
  format,
  sendRaw,
  type RawConnection,
  type RawRequest,
} from '../harness/clients/raw-http.ts';
import { useHostileTarget } from '../harness/processes/use-hostile-target.ts';

const MIB = 1024 * 1024;
const JSON_TYPE = 'Content-Type: application/json';

const target = useHostileTarget();
const { server } = target;
const { call } = server;

/** POST /projects with the owner's key, or as given. */
function formatCall(request: Partial<RawRequest>): Buffer {
  return format({ method: 'POST', path: '/api/projects', key: target.org.owner.key, ...request });
}

async function expectRefused(request: Partial<RawRequest>, problems: string[]) {
  const headers = [...(request.headers ?? [JSON_TYPE]), `Idempotency-Key: ${randomUUID()}`];
  const reply = await sendRaw(server.origin, formatCall({ ...request, headers }));
  expect(problemsOf(reply)).toEqual(problems);
  await target.expectNothingStored();
}

async function createProject() {
  const body = { name: `Project ${randomUUID()}` };
  return (await call('POST', '/api/projects', { key: target.org.owner.key, body })).json.data;
}

describe('the size of a body', () => {
  const padded = (name: string, size: number) => `{"name":"${name}"}`.padEnd(size, ' ');

  it('201: one MiB', async () => {
    const request = formatCall({ headers: [JSON_TYPE], body: padded('One MiB', MIB) });
    expect((await sendRaw(server.origin, request)).status).toBe(201);
  });

  it('400: one MiB and a byte', async () => {
    await expectRefused({ body: padded('More', MIB + 1) }, ['body too_large']);
  });

  it('201 and 400: the same in chunks', async () => {
    const headers = [JSON_TYPE, 'Transfer-Encoding: chunked'];
    const connection = await connectRaw(server.origin);
    connection.send(formatCall({ headers }));
    sendChunks(connection, padded('In chunks', MIB));
    expect((await connection.reply()).status).toBe(201);
    const stored = await target.countRows();
    connection.send(formatCall({ headers }));
    sendChunks(connection, padded('More in chunks', MIB + 1));
    expect(problemsOf(await connection.reply())).toEqual(['body too_large']);
    expect(await target.countRows()).toBe(stored);
    connection.destroy();
  });

  it.each(['Content-Length: 67108864', 'Transfer-Encoding: chunked'])(
    '400: 64 MiB (%s), answered early; the connection goes on after it',
    async (framing) => {
      const megabyte = Buffer.alloc(MIB, ' ');
      const isChunked = framing.endsWith('chunked');
      const piece = isChunked ? ['100000\r\n', megabyte, '\r\n'] : [megabyte];
      const connection = await connectRaw(server.origin);
      connection.send(formatCall({ headers: [JSON_TYPE, framing] }), ...piece, ...piece);
      expect(problemsOf(await connection.reply())).toEqual(['body too_large']);
      for (let sent = 2; sent < 64; sent++) connection.send(...piece);
      if (isChunked) connection.send('0\r\n\r\n');
      connection.send(formatCall({ method: 'GET' }));
      expect((await connection.reply()).status).toBe(200);
      connection.destroy();
      await target.expectNothingStored();
    },
  );
});

function sendChunks(connection: RawConnection, text: string): void {
  for (let at = 0; at < text.length; at += 60_000) {
    const chunk = text.slice(at, at + 60_000);
    connection.send(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  }
  connection.send('0\r\n\r\n');
}

describe('Content-Encoding', () => {
  it.each(['gzip', 'GZIP', 'deflate', 'br', 'zstd', 'identity, gzip', 'gzip, identity', 'x'])(
    '400: %s, with a body and without',
    async (encoding) => {
      const headers = [JSON_TYPE, `Content-Encoding: ${encoding}`];
      for (const body of [gzipSync('{"name":"x"}'), '{"name":"x"}', '']) {
        await expectRefused({ headers, body }, ['body unsupported_encoding']);
      }
    },
  );

  it('400: a gzip bomb is never unpacked', async () => {
    const headers = [JSON_TYPE, 'Content-Encoding: gzip'];
    const body = gzipSync(Buffer.alloc(64 * MIB));
    await expectRefused({ headers, body }, ['body unsupported_encoding']);
  });

  it('201: identity is not an encoding', async () => {
    const headers = [JSON_TYPE, 'Content-Encoding: Identity'];
    const request = formatCall({ headers, body: '{"name":"As it is"}' });
    expect((await sendRaw(server.origin, request)).status).toBe(201);
  });
});

describe('Content-Type', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json-patch+json',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json, text/plain',
    'text/json',
    'json',
    '*/*',
    '',
    ';',
    'application/json\u00ff',
  ])('400: "%s"', async (type) => {
    const headers = [`Content-Type: ${type}`];
    await expectRefused({ headers, body: '{"name":"x"}' }, ['body unsupported_content_type']);
  });

  it('400: none', async () => {
    await expectRefused({ headers: [], body: '{"name":"x"}' }, ['body unsupported_content_type']);
  });

  it('400: two of them', async () => {
    const headers = [JSON_TYPE, 'Content-Type: text/plain'];
    await expectRefused({ headers, body: '{"name":"x"}' }, ['header.content-type malformed']);
  });

  it.each([
    'APPLICATION/JSON',
    'application/json;charset=utf-8',
    'application/json ; charset="UTF-8"',
  ])('201: %s', async (type) => {
    const headers = [`Content-Type: ${type}`];
    const request = formatCall({ headers, body: `{"name":"${randomUUID()}"}` });
    expect((await sendRaw(server.origin, request)).status).toBe(201);
  });
});

describe('an empty body', () => {
  const framings = [[], ['Content-Length: 0'], ['Transfer-Encoding: chunked']];
  const types = [[], [JSON_TYPE], ['Content-Type: text/plain']];

  it.each(framings)(
    '400 and 200: it has no fields, whatever is said about its type (%s)',
    async (framing = '') => {
      const project = await createProject();
      const path = `/api/projects/${project.id}`;
      const end = framing.endsWith('chunked') ? '0\r\n\r\n' : '';
      for (const type of types) {
        const headers = [...type, ...(framing ? [framing] : [])];
        const changed = await sendRaw(
          server.origin,
          formatCall({ method: 'PATCH', path, headers }),
          end,
        );
        expect(changed.json.data).toEqual(project);
        const created = await sendRaw(server.origin, formatCall({ headers }), end);
        expect(problemsOf(created)).toEqual(['body.name required']);
      }
    },
  );

  it('200: an invalid content type does not matter either', async () => {
    const project = await createProject();
    const path = `/api/projects/${project.id}`;
    for (const type of ['', '?', 'json']) {
      const headers = [`Content-Type: ${type}`];
      const request = formatCall({ method: 'PATCH', path, headers, body: '' });
      expect((await sendRaw(server.origin, request)).json.data).toEqual(project);
    }
  });
});

describe('a body that is not expected', () => {
  it('400 and 204: DELETE accepts an empty one, but no fields', async () => {
    const { id } = await createProject();
    const path = `/api/projects/${id}`;
    const remove = (body: string, headers = [JSON_TYPE]) =>
      sendRaw(server.origin, formatCall({ method: 'DELETE', path, headers, body }));
    expect(problemsOf(await remove('{"force":true}'))).toEqual(['body.force unknown_field']);
    expect(problemsOf(await remove('[]'))).toEqual(['body invalid_type']);
    expect(problemsOf(await remove('{'))).toEqual(['body malformed_json']);
    const still = await call('GET', path, { key: target.org.owner.key });
    expect(still.json.data.archivedAt).toBeNull();
    expect((await remove('', [])).status).toBe(204);
    expect((await remove('')).status).toBe(204);
    expect((await remove('{}')).status).toBe(204);
  });

  it('200: GET ignores it, and the next request is read from its end', async () => {
    const body = format({ method: 'DELETE', path: '/api/projects' });
    const connection = await connectRaw(server.origin);
    connection.send(formatCall({ method: 'GET', body }), format({ path: '/api/nothing' }));
    expect((await connection.reply()).status).toBe(200);
    const next = await connection.reply();
    expectError(next, 'NOT_FOUND');
    expect(next.headers.get('allow')).toBeNull();
    connection.destroy();
  });
});
