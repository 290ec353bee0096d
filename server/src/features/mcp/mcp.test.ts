import { describe, expect, it } from 'vitest';
import {
  dataOf,
  expectError,
  expectInvalid,
  problemsOf,
} from '../../../test/harness/clients/envelope.ts';
import { createTestOrg, keyWithScopes } from '../../../test/harness/factories.ts';
import { MCP_SERVERS as PATH, useMcpStage } from '../../../test/harness/stages/mcp-stage.ts';

const SECRET = 'canary-mcp-secret-4711';
const stage = useMcpStage();

describe('POST /mcp/servers', () => {
  it('201: the record, without the secret', async () => {
    const secret = SECRET;
    const reply = await stage.create({ displayName: ' Tools ', authType: 'BEARER', secret });
    expect(dataOf(reply, 201)).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      displayName: 'Tools',
      mentionSlug: 'tools',
      endpointUrl: 'https://tools.example.com/mcp',
      authType: 'BEARER',
      hasSecret: true,
      projectIds: [],
      lastTestedAt: null,
      lastError: null,
      createdAt: expect.any(String),
    });
    expect((await stage.list()).items).toEqual([reply.json.data]);
    expect(stage.upstream.connections()).toBe(0);
  });

  it('201: every kind of authentication, and addresses unchanged', async () => {
    const made = [
      {},
      { secret: null },
      { authType: 'API_KEY', secret: 'X-Api-Key:abc' },
      { authType: 'API_KEY', secret: 'X-Api-Key: a b c=' },
      { authType: 'API_KEY', secret: 'Authorization:Token abc' },
      { authType: 'BEARER', secret: 'x'.repeat(4096) },
      { endpointUrl: 'https://93.184.216.34:8443/x?y=127.0.0.1#z' },
      { endpointUrl: 'https://[2606:2800:220:1:248:1893:25c8:1946]/mcp' },
      { endpointUrl: `https://tools.example.com/${'p'.repeat(2022)}` },
      { mentionSlug: '-' },
      { mentionSlug: 'a'.repeat(40), displayName: 'n'.repeat(120) },
    ];
    for (const [at, fields] of made.entries()) {
      const reply = await stage.create({ mentionSlug: `slug-${at}_`, ...fields });
      expect(reply.status, JSON.stringify(fields) + reply.text).toBe(201);
      expect(reply.json.data).toMatchObject({ hasSecret: 'authType' in fields });
      if ('endpointUrl' in fields) expect(reply.json.data.endpointUrl).toBe(fields.endpointUrl);
    }
  });

  it('201 with lastError: the resolver is unreachable', async () => {
    const { json } = await stage.create({ endpointUrl: 'https://broken.example.com/mcp' });
    expect(json.data.lastError).toBe(
      'the name could not be resolved: the resolver did not respond',
    );
    expect((await stage.list()).items[0]).toMatchObject({ lastError: json.data.lastError });
  });

  it('201: a private host that the operator allows', async () => {
    expect((await stage.create({ endpointUrl: stage.upstream.url })).status).toBe(201);
  });

  const bearer = (secret: unknown) => ({ authType: 'BEARER', secret });
  const apiKey = (secret: string) => ({ authType: 'API_KEY', secret });
  const BAD_SECRET = ['body.secret invalid_value'];
  const wrong: [string, object, string[]][] = [
    ['nothing at all', { displayName: undefined, mentionSlug: undefined, endpointUrl: undefined, authType: undefined }, ['body.authType required', 'body.displayName required', 'body.endpointUrl required', 'body.mentionSlug required']], // prettier-ignore
    ['every field', { displayName: ' ', mentionSlug: 'A', endpointUrl: 'http://x.example.com', authType: 'API_KEY', secret: 'x', more: 1 }, ['body.displayName required', 'body.endpointUrl invalid_url', 'body.mentionSlug invalid_format', 'body.more unknown_field', 'body.secret invalid_value']], // prettier-ignore
    ['a slug with a dot', { mentionSlug: 'a.b' }, ['body.mentionSlug invalid_format']],
    ['an empty slug', { mentionSlug: '' }, ['body.mentionSlug invalid_format']],
    ['a slug too long', { mentionSlug: 'a'.repeat(41) }, ['body.mentionSlug invalid_format']],
    ['a slug and a line end', { mentionSlug: 'a\n' }, ['body.mentionSlug invalid_format']],
    ['a name too long', { displayName: 'n'.repeat(121) }, ['body.displayName too_long']],
    ['another kind', { authType: 'OAUTH' }, ['body.authType invalid_value']],
    ['BEARER without a secret', { authType: 'BEARER' }, BAD_SECRET],
    ['BEARER, null', bearer(null), BAD_SECRET],
    ['BEARER, empty', bearer(''), ['body.secret required']],
    ['BEARER, CRLF', bearer('a\r\nHost: b'), BAD_SECRET],
    ['BEARER, LF at the end', bearer('a\n'), BAD_SECRET],
    ['BEARER, a space', bearer('a b'), BAD_SECRET],
    ['BEARER, not ASCII', bearer('ä'), BAD_SECRET],
    ['BEARER, too long', bearer('x'.repeat(4097)), ['body.secret too_long']],
    ['BEARER, a number', bearer(1), ['body.secret invalid_type']],
    ['API_KEY without a colon', apiKey('abc'), BAD_SECRET],
    ['API_KEY without a name', apiKey(':abc'), BAD_SECRET],
    ['API_KEY without a value', apiKey('X-Key:'), BAD_SECRET],
    ['API_KEY, blanks only', apiKey('X-Key:  '), BAD_SECRET],
    ['API_KEY, a blank in the name', apiKey('X Key:a'), BAD_SECRET],
    ['API_KEY, CRLF', apiKey('X-Key:a\r\nX-Other:b'), BAD_SECRET],
    ['API_KEY, Host', apiKey('hOST:internal'), BAD_SECRET],
    ['API_KEY, Cookie', apiKey('Cookie:a=b'), BAD_SECRET],
    ['API_KEY, Content-Length', apiKey('Content-Length:0'), BAD_SECRET],
    ['API_KEY, Mcp-Session-Id', apiKey('Mcp-Session-Id:x'), BAD_SECRET],
    ['API_KEY, Mcp-Method', apiKey('Mcp-Method:x'), BAD_SECRET],
    ['NONE with a secret', { secret: 'abc' }, BAD_SECRET],
  ];
  it.each(wrong)('400: %s', async (_, fields, problems) => {
    const reply = await stage.create(fields);
    expect(problemsOf(reply).toSorted()).toEqual(problems);
    const { secret } = fields as { secret?: unknown };
    if (typeof secret === 'string' && secret.length > 2)
      expect(JSON.stringify(reply.json.error)).not.toContain(secret);
    expect((await stage.list()).total).toBe(0);
  });

  it.each([
    'http://tools.example.com/mcp',
    'ftp://tools.example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https:tools.example.com',
    'https://',
    'https:\\\\127.0.0.1',
    'https://tools.example.com\\@127.0.0.1/',
    'https://tools.example.com/\r\nx',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://１２７.０.０.１/',
    'https://127。0。0。1/',
    'https://0/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://224.0.0.1/',
    'https://198.51.100.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[fe80::1]/',
    'https://[fc00::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'https://intranet/',
    'https://printer.local/',
    'https://tools.example.com./',
    'https://user@tools.example.com/',
    'https://:secret@tools.example.com/',
    'https://tools.example.com:0/',
    'https://tools.example.com:99999/',
    'https://inside.example.com/mcp',
    'https://half.example.com/mcp',
    'https://metadata.example.com/mcp',
    'https://six.example.com/mcp',
    'https://missing.example.com/mcp',
    'https://atrium.example.com/api/mcp',
    'https://ATRIUM.example.com:443/api/mcp',
  ])('400: the address %j', async (endpointUrl) => {
    const [problem, ...more] = expectInvalid(await stage.create({ endpointUrl }));
    expect(problem).toMatchObject({ location: 'body.endpointUrl' });
    expect(more).toEqual([]);
    // Resolved addresses are never shown.
    expect(problem?.message).not.toMatch(/\b(10\.0|127\.0|169\.254|93\.184)\b/);
    expect((await stage.list()).total).toBe(0);
  });

  it.each(['model', 'recall'])('409: the slug %s is a model’s', async (mentionSlug) => {
    const details = expectError(await stage.create({ mentionSlug }), 'CONFLICT');
    expect(details).toEqual({ reason: 'slug_taken', slug: mentionSlug });
  });

  it('409: the slug is taken, in this org only, and free again after removal', async () => {
    const id = await stage.register();
    const details = expectError(await stage.create({ displayName: 'Other' }), 'CONFLICT');
    expect(details).toEqual({ reason: 'slug_taken', slug: 'tools' });
    const stranger = await createTestOrg(stage.server.db);
    expect((await stage.create({}, stranger.owner.key)).status).toBe(201);
    await stage.call('DELETE', `${PATH}/${id}`, stage.org.owner);
    await stage.register();
  });

  it('409: of many concurrent requests for the slug, one succeeds', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => stage.create()));
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array(7).fill(409)]);
    expect((await stage.list()).total).toBe(1);
  });

  it('403: a MEMBER; an ADMIN may', async () => {
    const details = expectError(await stage.create({}, stage.org.member.key), 'FORBIDDEN');
    expect(details).toMatchObject({ reason: 'role' });
    expect((await stage.create({}, stage.org.admin.key)).status).toBe(201);
  });

  it('a repeated Idempotency-Key: one server, the same response; the secret is not stored', async () => {
    const headers = { 'idempotency-key': 'once' };
    const fields = { authType: 'BEARER', secret: SECRET };
    const [first, again] = [
      await stage.create(fields, stage.org.owner.key, headers),
      await stage.create(fields, stage.org.owner.key, headers),
    ];
    expect(first.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await stage.create({ ...fields, secret: 'x' }, stage.org.owner.key, headers);
    expect(expectError(other, 'CONFLICT')).toMatchObject({ reason: 'idempotency_key_reused' });
    expect((await stage.list()).total).toBe(1);
    expect(await dump('idempotency_keys')).not.toContain(SECRET);
  });
});

describe('GET /mcp/servers', () => {
  it('200: newest first, for every member, of this org only', async () => {
    const ids = [await stage.register(), await stage.register({ mentionSlug: 'b' })];
    const stranger = await createTestOrg(stage.server.db);
    await stage.create({}, stranger.owner.key);
    const { items, total } = await stage.list(stage.org.member.key);
    expect(items.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(total).toBe(2);
  });

  it('403: a key without mcp:read', async () => {
    const { key } = await keyWithScopes(stage.server.db, stage.org.orgId, stage.org.owner.userId, [
      'mcp:write',
    ]);
    const details = expectError(await stage.call('GET', PATH, { key }), 'FORBIDDEN');
    expect(details).toMatchObject({ reason: 'missing_scope' });
  });
});

describe('DELETE /mcp/servers/{id}', () => {
  it('204: the secret is deleted with it', async () => {
    const id = await stage.register({ authType: 'BEARER', secret: SECRET });
    const projectId = await stage.createProject('Bound');
    await stage.call('PUT', `${PATH}/${id}/projects`, stage.org.owner, { projectIds: [projectId] });
    expect((await stage.call('DELETE', `${PATH}/${id}`, stage.org.admin)).status).toBe(204);
    expect(await dump('mcp_servers')).not.toContain(id);
    expect(await dump('mcp_server_projects')).not.toContain(id);
    expect((await stage.list()).total).toBe(0);
  });

  it('404: unknown, malformed, already removed, another org’s', async () => {
    const id = await stage.register();
    const stranger = await createTestOrg(stage.server.db);
    const remove = (name: string, key = stage.org.owner.key) =>
      stage.call('DELETE', `${PATH}/${name}`, { key });
    expectError(await remove(id, stranger.owner.key), 'NOT_FOUND');
    expectError(await remove('caaaaaaaaaaaaaaaaaaaaaaaa'), 'NOT_FOUND');
    expectError(await remove('x'), 'NOT_FOUND');
    expect((await remove(id)).status).toBe(204);
    expectError(await remove(id), 'NOT_FOUND');
  });
});

describe('a secret', () => {
  it('is never readable: not in the tables, the logs, the audit log or a response', async () => {
    const before = stage.server.logLines.length;
    const id = await stage.register({
      endpointUrl: stage.upstream.url,
      authType: 'BEARER',
      secret: SECRET,
    });
    const headers = { 'idempotency-key': 'x' };
    const replies = [
      await stage.create({ authType: 'BEARER', secret: SECRET }),
      await stage.create({ mentionSlug: 'x', authType: 'API_KEY', secret: SECRET }),
      await stage.call('GET', PATH, stage.org.owner),
      await stage.call('POST', `${PATH}/${id}/test-connection`, { ...stage.org.owner, headers }),
      await stage.call('GET', `/api/org/${stage.org.orgId}/audit`, stage.org.owner),
    ];
    expect(replies.map(({ status }) => status)).toEqual([409, 400, 200, 200, 200]);
    expect(replies.map(({ text }) => text).join()).not.toContain(SECRET);
    expect(replies[4]?.text).toContain('mcp_server.created');
    for (const table of ['mcp_servers', 'audit_entries', 'idempotency_keys', 'jobs']) {
      expect(await dump(table), table).not.toContain(SECRET);
    }
    expect(stage.server.logLines.slice(before).join('')).not.toContain(SECRET);
  });
});

/** Every row of a table, with its bytes as text too. */
async function dump(table: string): Promise<string> {
  const rows = await stage.server.db.query<Record<string, unknown>>(`SELECT * FROM ${table}`);
  const bytes = rows.flatMap((row) => Object.values(row).filter((value) => Buffer.isBuffer(value)));
  return JSON.stringify(rows) + bytes.map((each) => each.toString('latin1')).join();
}
