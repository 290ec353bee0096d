import { describe, expect, it } from 'vitest';
import { dataOf } from '../../../../test/harness/clients/envelope.ts';
import { addFile } from '../../../../test/harness/clients/uploads.ts';
import { makePng } from '../../../../test/harness/images.ts';
import { readExport } from '../../../../test/harness/clients/untar.ts';
import type { ShownMessage } from '../../../../test/harness/stages/agent-stage.ts';
import {
  PROVIDER_SECRET as SECRET,
  PROVIDERS as PATH,
  useProviderStage,
} from '../../../../test/harness/stages/provider-stage.ts';

const stage = useProviderStage();
const call = (method: string, path: string, body?: object, key = stage.org.owner.key) =>
  stage.first.call(method, path, { key, ...(body && { body }) });
const makeAgent = (fields: object) =>
  call('POST', '/api/agents', { slug: 'helper', name: 'Helper', projectIds: [], ...fields });
const modelsOf = async (process: 'first' | 'second') =>
  dataOf(await stage[process].call('GET', '/api/models', { key: stage.org.member.key })).items;
const answerOf = ([reply]: ShownMessage[]) => [reply?.agentSlug, reply?.status, reply?.body];
const failureOf = ([reply]: ShownMessage[]) => [reply?.status, reply?.error?.code];

describe('a model of the organisation', () => {
  it.each(['openai', 'anthropic'] as const)(
    'answers under its name, with its key: %s',
    async (kind) => {
      const { baseUrl } = stage[kind];
      await stage.add({ kind, baseUrl, apiKey: SECRET, models: [{ slug: 'ada', model: 'ada-1' }] });
      stage[kind].answerWith([{ text: 'Good morning.', chunks: 3 }]);
      const room = await stage.openRoom();
      expect(answerOf(await room.ask('@ada hello'))).toEqual(['ada', 'COMPLETED', 'Good morning.']);
      const [request] = stage[kind].requests;
      expect(request?.model).toBe('ada-1');
      const { authorization, 'x-api-key': header } = request?.headers ?? {};
      expect([authorization, header]).toContain(kind === 'openai' ? `Bearer ${SECRET}` : SECRET);
    },
  );

  it('serves an agent with tools, and costs the prices of its input and output', async () => {
    await stage.addModel('ada', { creditsPerMillionTokens: { input: 300, output: 1500 } });
    dataOf(await makeAgent({ model: 'ada', tools: ['search_memory'] }), 201);
    const usage = { inputTokens: 5_000, outputTokens: 500 };
    stage.openai.answerWith([
      { toolCalls: [{ name: 'search_memory', input: { query: 'plan' } }], usage },
      { text: 'Found it.', usage },
    ]);
    const room = await stage.openRoom();
    const [reply] = await room.ask('@helper where is the plan?');
    // 10,000 × 300 + 1,000 × 1,500, for a million tokens: 4.5 credits.
    expect(reply).toMatchObject({
      agentSlug: 'helper',
      body: 'Found it.',
      usage: { inputTokens: 10_000, outputTokens: 1_000, credits: 5 },
    });
    expect(stage.openai.requests[0]?.tools).toContain('search_memory');
    const credits = dataOf(await call('GET', '/api/billing/credits'));
    expect(credits.balance).toBe(195);
  });

  it('is shown the images of a question if an OWNER said that it takes them', async () => {
    const id = await stage.addModel('ada');
    const { first, org } = stage;
    const room = await stage.openRoom();
    const by = { call: first.call, key: org.member.key };
    const { projectId } = room;
    const file = await addFile(by, { projectId, bytes: makePng(), name: 'photo.png' });
    const path = `${room.space}/sessions/${room.sessionId}/messages`;
    const ask = async () => {
      const question = { body: '@ada what is this?', fileIds: [file.id] };
      await room.replies(dataOf(await call('POST', path, question, org.member.key), 201).id);
      return JSON.stringify(stage.openai.requests.at(-1)?.body).includes('data:image/webp');
    };
    expect(await ask()).toBe(false);
    await stage.change(id, { models: [{ slug: 'ada', model: 'ada-1', vision: true }] });
    expect(await ask()).toBe(true);
  });

  it('is not asked without enough credits', async () => {
    await stage.addModel('ada', { creditsPerMillionTokens: { input: 1_000_000, output: 0 } });
    const room = await stage.openRoom();
    expect(failureOf(await room.ask('@ada hello'))).toEqual(['FAILED', 'no_credits']);
    expect(stage.openai.requests).toEqual([]);
  });

  it('is there on every process at once, and answers @model where the server has no model', async () => {
    const body = { kind: 'openai-compatible', name: 'n', baseUrl: stage.openai.baseUrl };
    const made = await stage.second.call('POST', PATH, {
      key: stage.org.owner.key,
      body: { ...body, models: [{ slug: 'ada', model: 'ada-1' }] },
    });
    expect(await modelsOf('first')).toMatchObject([
      { slug: 'ada', origin: 'organisation', isDefault: true, lastResult: null },
      { slug: 'recall', origin: 'builtin', isDefault: false },
    ]);
    expect(await modelsOf('second')).toMatchObject([
      { slug: 'house', origin: 'server', isDefault: true },
      { slug: 'ada', origin: 'organisation', isDefault: false },
      { slug: 'recall' },
    ]);
    const room = await stage.openRoom();
    const session = `${room.space}/sessions/${room.sessionId}`;
    expect(dataOf(await call('GET', session)).answersAs).toBe('ada');
    expect(answerOf(await room.ask('@model hello'))).toEqual(['ada', 'COMPLETED', 'Hello.']);
    expect((await modelsOf('second'))[1].lastResult).toMatchObject({ status: 'COMPLETED' });
    dataOf(await stage.change(made.json.data.id, { isEnabled: false }), 200);
    expect((await modelsOf('second')).map(({ slug }: { slug: string }) => slug)).toEqual([
      'house',
      'recall',
    ]);
    expect(dataOf(await call('GET', session)).answersAs).toBe('recall');
  });

  it('gives way to a model of the same name that the operator configures later', async () => {
    await stage.addModel('house');
    const key = stage.org.owner.key;
    const isOverridden = async (process: 'first' | 'second') =>
      dataOf(await stage[process].call('GET', PATH, { key })).items[0].models[0].isOverridden;
    expect([await isOverridden('first'), await isOverridden('second')]).toEqual([false, true]);
    expect(await modelsOf('second')).toMatchObject([
      { slug: 'house', origin: 'server' },
      { slug: 'recall' },
    ]);
  });

  it('that is disabled or removed is like one that was never there', async () => {
    const id = await stage.addModel('ada');
    dataOf(await makeAgent({ model: 'ada' }), 201);
    const room = await stage.openRoom({ defaultAgent: 'ada' });
    const gone = async () => {
      expect((await room.post('@ada hello')).pendingReplies).toEqual([]);
      const unknown = ['FAILED', 'model_unknown'];
      expect(failureOf(await room.ask('@helper hello'))).toEqual(unknown);
      expect(failureOf(await room.ask('@model hello'))).toEqual(unknown);
    };
    dataOf(await stage.change(id, { isEnabled: false }), 200);
    await gone();
    dataOf(await stage.change(id, { isEnabled: true }), 200);
    expect(answerOf(await room.ask('@helper hello'))).toEqual(['helper', 'COMPLETED', 'Hello.']);
    expect((await call('DELETE', `${PATH}/${id}`)).status).toBe(204);
    await gone();
  });

  it('fails like any other model, and says who can do something about it', async () => {
    const id = await stage.addModel('ada');
    const room = await stage.openRoom();
    stage.openai.answerWith([{ status: 401, body: `{"error":{"message":"no ${SECRET}"}}` }]);
    const [refused] = await room.ask('@ada hello');
    expect(failureOf([refused!])).toEqual(['FAILED', 'provider_error']);
    expect(refused?.body).toMatch(/An OWNER can check it under Settings, Models\.$/);
    stage.openai.answerWith([{ status: 503 }, { status: 503 }, 'At last.']);
    expect(answerOf(await room.ask('@ada hello'))).toEqual(['ada', 'COMPLETED', 'At last.']);
    const { db } = stage.first.server;
    const asked = stage.openai.requests.length;
    // A name that has moved inside since it was checked.
    const moved = 'UPDATE model_providers SET base_url = $2 WHERE id = $1';
    await db.query(moved, [id, 'https://inside.example.com/v1']);
    const [guarded] = await room.ask('@ada hello');
    expect(failureOf([guarded!])).toEqual(['FAILED', 'provider_error']);
    expect(guarded?.body).toMatch(/an address that must not be called/);
    // A key that nobody can decrypt.
    const lost = `UPDATE model_providers SET base_url = $2, sealed_key = '\\x00' WHERE id = $1`;
    await db.query(lost, [id, stage.openai.baseUrl]);
    expect((await room.ask('@ada hello'))[0]?.body).toMatch(/cannot be decrypted/);
    expect(stage.openai.requests).toHaveLength(asked);
    expect(stage.first.server.logLines.join('')).not.toContain('canary');
  });
});

it('what is done with providers is in the audit log and in the export, without keys', async () => {
  const id = await stage.add({ apiKey: SECRET, models: [{ slug: 'ada', model: 'ada-1' }] });
  dataOf(await stage.change(id, { apiKey: `${SECRET}-2`, isEnabled: false }), 200);
  const audit = dataOf(await call('GET', `/api/org/${stage.org.orgId}/audit`)).items;
  expect(audit.slice(0, 2)).toMatchObject([
    {
      action: 'model_provider.updated',
      resourceId: id,
      details: { fields: ['apiKey', 'isEnabled'] },
    },
    { action: 'model_provider.created', resourceId: id, details: { kind: 'openai-compatible' } },
  ]);
  const response = await fetch(`${stage.first.server.origin}/api/org/${stage.org.orgId}/export`, {
    headers: { authorization: `Bearer ${stage.org.owner.key}` },
  });
  const records = readExport(new Uint8Array(await response.arrayBuffer()));
  expect(records['model-providers']).toMatchObject([
    { id, hasKey: true, models: [{ slug: 'ada' }] },
  ]);
  expect(JSON.stringify(records)).not.toContain('canary');
});
