import { describe, expect, it } from 'vitest';
import { dataOf, expectError, expectInvalid } from '../../../test/harness/clients/envelope.ts';
import { createTestOrg } from '../../../test/harness/factories.ts';
import { MCP_SERVERS as PATH, useMcpStage } from '../../../test/harness/stages/mcp-stage.ts';
import { speakMcp } from '../../../test/harness/outside/mcp-upstream.ts';

const SECRET = 'canary-mcp-secret-4711';
const stage = useMcpStage();

describe('POST /mcp/servers/{id}/test-connection', () => {
  const test = (id: string, key = stage.org.owner.key, headers = {}) =>
    stage.call('POST', `${PATH}/${id}/test-connection`, { key, headers });

  it('200, ok: what the server says about itself, and when it was tested', async () => {
    const before = Date.now();
    const id = await stage.register({ endpointUrl: stage.upstream.url });
    const reply = await test(id, stage.org.admin.key);
    expect(dataOf(reply, 200)).toEqual({
      ok: true,
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'fake', version: '1.2.3' },
      capabilities: { tools: {} },
      latencyMs: expect.any(Number),
    });
    const [shown] = (await stage.list()).items;
    expect(shown?.lastError).toBeNull();
    expect(Date.parse(shown?.lastTestedAt ?? '')).toBeGreaterThanOrEqual(before - 1);
    expect(stage.upstream.methods().slice(0, 3)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
    ]);
  });

  it.each([
    ['BEARER', SECRET, 'authorization', `Bearer ${SECRET}`],
    ['API_KEY', `X-Key: ${SECRET}`, 'x-key', SECRET],
    ['API_KEY', `Authorization:Basic ${SECRET}`, 'authorization', `Basic ${SECRET}`],
  ])('200: %s, %s is sent with every request', async (authType, secret, name, value) => {
    const id = await stage.register({ endpointUrl: stage.upstream.url, authType, secret });
    expect((await test(id)).json.data).toMatchObject({ ok: true });
    const sent = stage.upstream.requests.map(({ headers }) => headers[name]);
    expect(sent.length).toBeGreaterThan(2);
    expect(new Set(sent)).toEqual(new Set([value]));
  });

  it('200, not ok: the error is kept until a test succeeds', async () => {
    const id = await stage.register({ endpointUrl: stage.upstream.url });
    stage.upstream.answerWith((_, response) => void response.writeHead(503).end(`body ${SECRET}`));
    const reply = await test(id);
    const error = { code: 'server_error', message: 'the server failed (HTTP 503)' };
    expect(reply.json.data).toEqual({ ok: false, error });
    expect((await stage.list()).items[0]).toMatchObject({
      lastError: error.message,
      lastTestedAt: expect.any(String),
    });
    stage.upstream.answerWith(speakMcp());
    expect((await test(id)).json.data.ok).toBe(true);
    expect((await stage.list()).items[0]?.lastError).toBeNull();
  });

  it('200, not ok: the address is now a private one', async () => {
    stage.names['moving.example.com'] = { addresses: ['93.184.216.34'] };
    const id = await stage.register({ endpointUrl: 'https://moving.example.com/mcp' });
    stage.names['moving.example.com'] = { addresses: ['127.0.0.1'] };
    const { data } = (await test(id)).json;
    expect(data).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(data.error.message).toMatch(/^the address is not public/);
  });

  it.each([22, 6667])('200, not ok: port %i is not an HTTPS port', async (port) => {
    const id = await stage.register({ endpointUrl: `https://tools.example.com:${port}/mcp` });
    expect((await test(id)).json.data).toMatchObject({ ok: false, error: { code: 'refused' } });
  });

  it('200, not ok: the secret was stored under another SECRETS_KEY', async () => {
    const id = await stage.register({
      endpointUrl: stage.upstream.url,
      authType: 'BEARER',
      secret: SECRET,
    });
    const other = await stage.register({ mentionSlug: 'other', authType: 'BEARER', secret: 'x' });
    await stage.server.db.query(
      `UPDATE mcp_servers SET sealed_secret = (SELECT sealed_secret FROM mcp_servers
         WHERE org_id = $3 AND id = $2)
       WHERE org_id = $3 AND id = $1`,
      [id, other, stage.org.orgId],
    );
    expect((await test(id)).json.data).toMatchObject({
      ok: false,
      error: { code: 'secret_unreadable' },
    });
    expect(stage.upstream.requests).toEqual([]);
  });

  it('a repeated Idempotency-Key: one call, the same response', async () => {
    const id = await stage.register({ endpointUrl: stage.upstream.url });
    const headers = { 'idempotency-key': 'once' };
    const [first, ...others] = await Promise.all(
      Array.from({ length: 5 }, () => test(id, stage.org.owner.key, headers)),
    );
    expect(first?.json.data.ok).toBe(true);
    expect(new Set(others.map(({ text }) => text))).toEqual(new Set([first?.text]));
    expect(stage.upstream.methods().filter((method) => method === 'initialize')).toHaveLength(1);
    await test(id);
    expect(stage.upstream.methods().filter((method) => method === 'initialize')).toHaveLength(2);
  });

  it('404: unknown, another org’s, or removed while it was tested', async () => {
    const id = await stage.register({ endpointUrl: stage.upstream.url });
    const stranger = await createTestOrg(stage.server.db);
    expectError(await test(id, stranger.owner.key), 'NOT_FOUND');
    expectError(await test('caaaaaaaaaaaaaaaaaaaaaaaa'), 'NOT_FOUND');
    expect(stage.upstream.requests).toEqual([]);
    const speak = speakMcp();
    stage.upstream.answerWith((message, response, request) => {
      if (message.method !== 'tools/list') {
        speak(message, response, request);
        return;
      }
      void stage
        .call('DELETE', `${PATH}/${id}`, stage.org.owner)
        .then(() => speak(message, response, request));
    });
    expectError(await test(id), 'NOT_FOUND');
  });

  it('403: a MEMBER, and nothing is called', async () => {
    const id = await stage.register({ endpointUrl: stage.upstream.url });
    expectError(await test(id, stage.org.member.key), 'FORBIDDEN');
    expect(stage.upstream.requests).toEqual([]);
  });
});

describe('PUT /mcp/servers/{id}/projects', () => {
  const bind = (id: string, projectIds: unknown, key = stage.org.owner.key) =>
    stage.call('PUT', `${PATH}/${id}/projects`, { key, body: { projectIds } });

  it('200: bound to these, replacing earlier ones; [] unbinds', async () => {
    const id = await stage.register();
    const [one, two] = [await stage.createProject('One'), await stage.createProject('Two')];
    const first = await bind(id, [one]);
    expect(dataOf(first, 200)).toMatchObject({ id, projectIds: [one] });
    expect((await bind(id, [two, one, two])).json.data.projectIds).toEqual([one, two].toSorted());
    expect((await stage.list(stage.org.member.key)).items[0]?.projectIds).toEqual(
      [one, two].toSorted(),
    );
    expect((await bind(id, [])).json.data.projectIds).toEqual([]);
  });

  it('404: a missing Project or server, or another org’s; the bindings stay', async () => {
    const id = await stage.register();
    const stranger = await createTestOrg(stage.server.db);
    const [own, foreign] = [
      await stage.createProject('Own'),
      await stage.createProject('Foreign', stranger.owner.key),
    ];
    await bind(id, [own]);
    expectError(await bind(id, [own, foreign]), 'NOT_FOUND');
    expectError(await bind(id, ['caaaaaaaaaaaaaaaaaaaaaaaa']), 'NOT_FOUND');
    expectError(await bind(id, ['x']), 'NOT_FOUND');
    expectError(await bind(id, [foreign], stranger.owner.key), 'NOT_FOUND');
    expectError(await bind('caaaaaaaaaaaaaaaaaaaaaaaa', []), 'NOT_FOUND');
    expect((await stage.list()).items[0]?.projectIds).toEqual([own]);
  });

  it('400: not a list of ids', async () => {
    const id = await stage.register();
    for (const wrong of [undefined, null, 'x', [1], [''], Array(201).fill('x')]) {
      expectInvalid(await bind(id, wrong));
    }
  });

  it('403: a MEMBER', async () => {
    expectError(await bind(await stage.register(), [], stage.org.member.key), 'FORBIDDEN');
  });
});
