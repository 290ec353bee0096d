import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  dataOf,
  expectError,
  problemsOf,
  reasonOf,
} from '../../../../test/harness/clients/envelope.ts';
import { createTestOrg } from '../../../../test/harness/factories.ts';
import {
  PROVIDER_SECRET as SECRET,
  PROVIDERS as PATH,
  useProviderStage,
} from '../../../../test/harness/stages/provider-stage.ts';

const stage = useProviderStage();
const PRICES = { input: 300, output: 1500 };
const model = (slug: string, more = {}) => ({ slug, model: `${slug}-1`, ...more });
const call = (method: string, path: string, body?: object, key = stage.org.owner.key) =>
  stage.first.call(method, path, { key, ...(body && { body }) });
const listed = async (key = stage.org.owner.key) => dataOf(await call('GET', PATH, undefined, key));

describe('POST /model-providers', () => {
  it('201: the record without the key, which is stored encrypted and logged nowhere', async () => {
    const reply = await stage.create({
      name: ' Ours ',
      apiKey: SECRET,
      baseUrl: `${stage.openai.baseUrl}/`,
      models: [model('ada', { creditsPerMillionTokens: PRICES }), model('llama3.2:8b')],
    });
    expect(dataOf(reply, 201)).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      name: 'Ours',
      kind: 'openai-compatible',
      baseUrl: stage.openai.baseUrl,
      hasKey: true,
      isEnabled: true,
      models: [
        {
          slug: 'ada',
          model: 'ada-1',
          creditsPerMillionTokens: PRICES,
          vision: false,
          isOverridden: false,
        },
        {
          slug: 'llama3.2:8b',
          model: 'llama3.2:8b-1',
          creditsPerMillionTokens: { input: 0, output: 0 },
          vision: false,
          isOverridden: false,
        },
      ],
      lastTestedAt: null,
      lastError: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await listed()).toEqual({ items: [reply.json.data], total: 1 });
    const { server } = stage.first;
    const rows = await server.db.query<{ text: string }>(
      'SELECT v::text AS text FROM model_providers v',
    );
    expect(JSON.stringify(rows)).not.toContain('canary');
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(SECRET).toString('hex'));
    expect(server.logLines.join('')).not.toContain('canary');
    expect(stage.openai.requests).toEqual([]);
  });

  it('201: each kind at its usual address', async () => {
    const made = [
      [{ kind: 'openai', apiKey: SECRET }, 'https://api.openai.com/v1'],
      [{ kind: 'anthropic', apiKey: SECRET }, 'https://api.anthropic.com/v1'],
      [{ kind: 'ollama', baseUrl: stage.openai.baseUrl.replace('/v1', '') }, stage.openai.baseUrl],
    ] as const;
    for (const [fields, address] of made) {
      const reply = await stage.create({ baseUrl: null, ...fields });
      expect(dataOf(reply, 201)).toMatchObject({ kind: fields.kind, baseUrl: address });
    }
  });

  it.each<[string, object, string[]]>([
    ['nothing', { kind: undefined, name: undefined }, ['body.kind required', 'body.name required']],
    ['another kind', { kind: 'gemini' }, ['body.kind invalid_value']],
    ['no address', { baseUrl: null }, ['body.baseUrl invalid_value']],
    ['no key for OpenAI itself', { kind: 'openai', baseUrl: null }, ['body.apiKey required']],
    ['a password in the address', { baseUrl: 'https://a:b@models.example.com' }, ['body.baseUrl invalid_url']],
    ['a query in the address', { baseUrl: 'https://models.example.com/?key=1' }, ['body.baseUrl invalid_url']],
    ['a key with a space', { apiKey: 'sk a' }, ['body.apiKey invalid_format']],
    ['a reserved slug', { models: [model('recall')] }, ['body.models[0].slug invalid_format']],
    ['a slug in capitals', { models: [model('Ada')] }, ['body.models[0].slug invalid_format']],
    ['a slug twice', { models: [model('ada'), model('ada')] }, ['body.models[1].slug duplicate']],
    ['a model with a space', { models: [{ slug: 'ada', model: 'a b' }] }, ['body.models[0].model invalid_format']],
    ['a price below zero', { models: [model('ada', { creditsPerMillionTokens: { input: -1, output: 0 } })] }, ['body.models[0].creditsPerMillionTokens.input too_small']],
    ['too many models', { models: Array.from({ length: 51 }, (_, at) => model(`m${at}`)) }, ['body.models too_many']],
  ])('400: %s', async (_case, fields, problems) => {
    expect(problemsOf(await stage.create(fields))).toEqual(problems);
  }); // prettier-ignore

  it.each([
    'http://models.example.com/v1',
    'https://127.0.0.1/v1',
    'http://127.0.0.1:9/v1',
    'https://localhost/v1',
    'https://10.0.0.7/v1',
    'https://[::1]/v1',
    'https://169.254.169.254/latest',
    'https://[::ffff:10.0.0.7]/v1',
    'https://2130706433/v1',
    'https://inside.example.com/v1',
    'https://half.example.com/v1',
    'https://metadata.example.com/v1',
    'https://nobody.example.com/v1',
    'https://atrium.example.com/v1',
  ])('400 not_allowed: %s', async (baseUrl) => {
    expect(problemsOf(await stage.create({ baseUrl }))).toEqual(['body.baseUrl not_allowed']);
    expect((await listed()).total).toBe(0);
  });

  it('201 with lastError: the resolver is unreachable', async () => {
    const reply = await stage.create({ baseUrl: 'https://broken.example.com/v1' });
    expect(dataOf(reply, 201).lastError).toMatch(/could not be resolved/);
  });

  it('409 slug_taken: one namespace with models, agents, MCP servers and people', async () => {
    const { owner } = stage.org;
    dataOf(await call('POST', '/api/agents', { slug: 'tester', name: 'T', projectIds: [] }), 201);
    dataOf(await call('PATCH', '/api/me', { handle: 'boss' }, owner.key), 200);
    await stage.addModel('ada');
    for (const slug of ['tester', 'boss', 'ada']) {
      const reply = await stage.create({ models: [model('free'), model(slug)] });
      expect([reasonOf(reply), reply.json.error?.details.slug]).toEqual([
        [409, 'slug_taken'],
        slug,
      ]);
    }
    const body = { kind: 'openai-compatible', name: 'n', baseUrl: stage.openai.baseUrl };
    const operators = await stage.second.call('POST', PATH, {
      key: owner.key,
      body: { ...body, models: [model('house')] },
    });
    expect(reasonOf(operators)).toEqual([409, 'slug_taken']);
    expect(operators.json.error?.message).toMatch(/the operator of this server configured/);
    expect((await listed()).total).toBe(1);
    // And the other way round.
    const agent = await call('POST', '/api/agents', { slug: 'ada', name: 'A', projectIds: [] });
    expect(reasonOf(agent)).toEqual([409, 'slug_taken']);
    expect(reasonOf(await call('PATCH', '/api/me', { handle: 'ada' }))).toEqual([
      409,
      'slug_taken',
    ]);
  });

  it('409 slug_taken: of two at once, one', async () => {
    const replies = await Promise.all(
      [1, 2, 3].map(() => stage.create({ models: [model('race')] })),
    );
    expect(replies.map(({ status }) => `${status}`).toSorted()).toEqual(['201', '409', '409']);
    expect((await listed()).total).toBe(1);
  });

  it('409 limit_reached: 20 providers', async () => {
    await stage.first.server.db.query(
      `INSERT INTO model_providers (org_id, id, name, kind, base_url, created_by_id, created_at, updated_at)
       SELECT $1, 'p' || n, 'n', 'ollama', 'http://x', 'u', now(), now() FROM generate_series(1, 20) n`,
      [stage.org.orgId],
    );
    expect(expectError(await stage.create(), 'CONFLICT')).toMatchObject({
      limit: 'model_providers_per_org',
    });
  });
});

describe('PATCH /model-providers/{id}', () => {
  it('200: models are replaced, and the names of those that are gone are free', async () => {
    const id = await stage.add({ models: [model('ada'), model('bob')], apiKey: SECRET });
    const reply = await stage.change(id, {
      name: 'New',
      models: [model('bob', { model: 'bob-2' }), model('cy', { creditsPerMillionTokens: PRICES })],
    });
    expect(dataOf(reply, 200)).toMatchObject({
      name: 'New',
      hasKey: true,
      models: [
        { slug: 'bob', model: 'bob-2' },
        { slug: 'cy', creditsPerMillionTokens: PRICES },
      ],
    });
    expect((await listed()).items).toEqual([reply.json.data]);
    await stage.addModel('ada');
    expect(reasonOf(await stage.create({ models: [model('cy')] }))).toEqual([409, 'slug_taken']);
  });

  it('200: nothing given changes nothing; null removes the key', async () => {
    const id = await stage.add({ apiKey: SECRET });
    expect(dataOf(await stage.change(id, {}), 200)).toMatchObject({ hasKey: true });
    expect(dataOf(await stage.change(id, { apiKey: null }), 200)).toMatchObject({ hasKey: false });
  });

  it('400: an address that may not be called, and one elsewhere without the key again', async () => {
    const id = await stage.add({ apiKey: SECRET });
    const inside = { baseUrl: 'https://inside.example.com/v1', apiKey: 'k' };
    expect(problemsOf(await stage.change(id, inside))).toEqual(['body.baseUrl not_allowed']);
    const elsewhere = { baseUrl: 'https://models.example.com/v1' };
    expect(problemsOf(await stage.change(id, elsewhere))).toEqual(['body.apiKey invalid_value']);
    const withKey = await stage.change(id, { ...elsewhere, apiKey: 'k' });
    expect(dataOf(withKey, 200).baseUrl).toBe(elsewhere.baseUrl);
  });
});

describe('DELETE /model-providers/{id}', () => {
  it('204: with its key, its models and their names', async () => {
    const id = await stage.add({ models: [model('ada')], apiKey: SECRET });
    expect((await call('DELETE', `${PATH}/${id}`)).status).toBe(204);
    expect(await listed()).toEqual({ items: [], total: 0 });
    expectError(await call('DELETE', `${PATH}/${id}`), 'NOT_FOUND');
    await stage.addModel('ada');
  });
});

describe('GET /model-providers/{id}/models', () => {
  const offered = async (id: string) => dataOf(await call('GET', `${PATH}/${id}/models`), 200);

  it('200: what the provider offers, asked with its key', async () => {
    const id = await stage.add({ kind: 'openai', apiKey: SECRET });
    stage.openai.offered = [
      { id: 'old', created: 1 },
      { id: 'new', created: 2, architecture: { input_modalities: ['text', 'image'] } },
      { id: 'text-embedding-3-small', created: 3 },
      { id: 'with a space' },
    ];
    expect(await offered(id)).toEqual({
      models: [
        { model: 'new', displayName: null, vision: true },
        { model: 'old', displayName: null, vision: false },
      ],
      error: null,
    });
    expect(stage.openai.listings[0]?.authorization).toBe(`Bearer ${SECRET}`);
    const { baseUrl } = stage.anthropic;
    const other = await stage.add({ kind: 'anthropic', baseUrl, apiKey: SECRET });
    const capabilities = { image_input: { supported: true } };
    stage.anthropic.offered = [{ id: 'claude-5', display_name: 'Claude 5', capabilities }];
    expect((await offered(other)).models).toEqual([
      { model: 'claude-5', displayName: 'Claude 5', vision: true },
    ]);
    expect(stage.anthropic.listings[0]).toMatchObject({
      'x-api-key': SECRET,
      'anthropic-version': expect.any(String),
    });
  });

  it('200 with an error: what the provider says, without the key', async () => {
    const id = await stage.add({ apiKey: SECRET });
    const message = `Incorrect API key provided: ${SECRET.slice(0, 9)}***4711. Or ${SECRET}!`;
    const body = JSON.stringify({ error: { message, type: 'invalid_request_error' } });
    stage.openai.offered = { status: 401, body };
    const { models, error } = await offered(id);
    expect(models).toEqual([]);
    expect(error.message).toMatch(/rejected the organisation's key.*It says: Incorrect API key/);
    expect(error.message).not.toMatch(/canary|4711/);
  });

  it.each<[string, { status: number; body: string; headers?: Record<string, string> }, RegExp]>([
    ['no list', { status: 404, body: '' }, /no list of models/],
    ['no JSON', { status: 200, body: '<html>' }, /invalid response/],
    ['other JSON', { status: 200, body: '{"models":[]}' }, /invalid response/],
    ['endless', { status: 200, body: 'x'.repeat(3 * 1024 * 1024) }, /too long/],
    ['a redirect inside', { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/' } }, /must not be called/],
    ['a redirect elsewhere', { status: 307, body: '', headers: { location: 'https://models.example.com/' } }, /rejected the request \(307\)/],
  ])('200 with an error: %s', async (_case, reply, message) => {
    stage.openai.offered = reply;
    expect((await offered(await stage.add())).error.message).toMatch(message);
  }); // prettier-ignore

  it('200 with an error: a name that has moved inside since', async () => {
    const id = await stage.add({ baseUrl: 'https://models.example.com/v1' });
    await stage.first.server.db.query(
      `UPDATE model_providers SET base_url = 'https://inside.example.com/v1' WHERE id = $1`,
      [id],
    );
    expect((await offered(id)).error.message).toMatch(/must not be called.*MODEL_ALLOW_HOSTS/);
  });
});

describe('POST /model-providers/{id}/test', () => {
  const test = async (id: string, body: object = {}) =>
    dataOf(await call('POST', `${PATH}/${id}/test`, body), 200);

  it('200, ok: the answer of its first model, or of the one that is named', async () => {
    const id = await stage.add({ apiKey: SECRET, models: [model('ada')] });
    stage.openai.answerWith(['Hello, team.']);
    const found = await test(id);
    expect(found).toEqual({
      ok: true,
      model: 'ada-1',
      answer: 'Hello, team.',
      offeredModels: null,
      latencyMs: expect.any(Number),
    });
    expect(await test(id, { model: 'other' })).toMatchObject({ ok: true, model: 'other' });
    expect(stage.openai.requests.map((request) => request.model)).toEqual(['ada-1', 'other']);
    expect(stage.openai.requests[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
    const [shown] = (await listed()).items;
    expect([shown.lastError, shown.lastTestedAt]).toEqual([null, expect.any(String)]);
  });

  it('200, ok: without models, how many it offers', async () => {
    stage.openai.offered = [{ id: 'a' }, { id: 'b' }];
    expect(await test(await stage.add())).toMatchObject({
      ok: true,
      model: null,
      offeredModels: 2,
    });
  });

  it('200, not ok: the reason of a reply, with the words of the provider; asked once, and kept', async () => {
    const id = await stage.addModel('ada');
    const body = JSON.stringify({ error: { message: `the model is loading, ${SECRET}` } });
    stage.openai.answerWith([{ status: 503, body }]);
    const { ok, error } = await test(id);
    expect([ok, error.code]).toEqual([false, 'provider_error']);
    expect(error.message).toMatch(/failed \(503\)\. .*It says: the model is loading/);
    expect(stage.openai.requests).toHaveLength(1);
    expect((await listed()).items[0].lastError).toBe(error.message);
    expectError(await call('POST', `${PATH}/${id}x/test`, {}), 'NOT_FOUND');
  });

  it('200, not ok: a redirect takes neither the key nor the prompt along', async () => {
    const seen: string[] = [];
    const trap = createServer((request, response) => {
      seen.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => void trap.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void trap.close());
    const { port } = trap.address() as AddressInfo;
    const id = await stage.addModel('ada');
    for (const location of [`http://127.0.0.1:${port}/`, `${stage.anthropic.baseUrl}/messages`]) {
      stage.openai.answerWith([{ status: 307, headers: { location } }]);
      expect(await test(id)).toMatchObject({ ok: false });
    }
    expect([seen, stage.anthropic.requests]).toEqual([[], []]);
  });
});

describe('other organisations and roles', () => {
  it('see, change and use nothing of each other', async () => {
    const other = await createTestOrg(stage.first.server.db);
    const id = await stage.addModel('ada');
    const { key } = other.owner;
    expect(await listed(key)).toEqual({ items: [], total: 0 });
    const slugs = async (owner: string) =>
      dataOf(await call('GET', '/api/models', undefined, owner)).items.map(
        (one: { slug: string }) => one.slug,
      );
    expect([await slugs(key), await slugs(stage.org.owner.key)]).toEqual([
      ['recall'],
      ['ada', 'recall'],
    ]);
    expectError(await call('PATCH', `${PATH}/${id}`, { name: 'x' }, key), 'NOT_FOUND');
    expectError(await call('DELETE', `${PATH}/${id}`, undefined, key), 'NOT_FOUND');
    expectError(await call('POST', `${PATH}/${id}/test`, {}, key), 'NOT_FOUND');
    expectError(await call('GET', `${PATH}/${id}/models`, undefined, key), 'NOT_FOUND');
    const agent = { slug: 'a', name: 'A', projectIds: [], model: 'ada' };
    expect(problemsOf(await call('POST', '/api/agents', agent, key))).toEqual([
      'body.model invalid_value',
    ]);
    // The same slug is free there, and leads to their own provider.
    await stage.addModel('ada', { model: 'theirs' }, key);
    const [room, theirs] = [await stage.openRoom(), await stage.first.openRoom({}, other)];
    await room.ask('@ada hello');
    await theirs.ask('@ada hello', { key: other.member.key });
    expect(stage.openai.requests.map((request) => request.model)).toEqual(['ada-1', 'theirs']);
    expect((await listed()).items).toHaveLength(1);
  });
});
