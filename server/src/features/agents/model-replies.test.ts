import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  PROVIDER_KEY,
  startAgentStage,
  type Room,
  type ShownMessage,
} from '../../../test/harness/stages/agent-stage.ts';
import { startAnthropicServer } from '../../../test/harness/outside/anthropic-server.ts';
import { createTestOrg } from '../../../test/harness/factories.ts';
import type { ScriptedAnswer } from '../../../test/harness/outside/model-server.ts';
import { startOpenAiChatServer } from '../../../test/harness/outside/openai-chat-server.ts';
import { useAgentStage, useModel } from '../../../test/harness/stages/use-stage.ts';

const claude = useModel(startAnthropicServer);
const { stage, ada } = useAgentStage(
  [{ slug: 'ada' }, { slug: 'claude', server: claude, provider: 'anthropic' }],
  { replyDeadlineMs: 8_000 },
);
const servers = { ada, claude };
let room: Room;

beforeAll(async () => {
  // Loads the local model, which takes longer than the deadline on a busy machine.
  await (await stage.openRoom()).remember('Something to begin with.');
});
beforeEach(async () => {
  room = await stage.openRoom();
});

async function askWith(slug: 'ada' | 'claude', answers: ScriptedAnswer[]): Promise<ShownMessage> {
  servers[slug].answerWith(answers);
  const [reply] = await room.ask(`@${slug} what now?`);
  return reply as ShownMessage;
}

/** FAILED, with a message for people that reveals nothing of the provider or the server. */
function expectFailed(reply: ShownMessage, code: string): void {
  expect(reply).toMatchObject({
    authorKind: 'AGENT',
    status: 'FAILED',
    error: { code, message: expect.stringMatching(/^[A-Z"].*\.$/) },
    citations: [],
    usage: { inputTokens: 0, outputTokens: 0, credits: 0, latencyMs: expect.any(Number) },
  });
  expect(reply.body).toBe(`Couldn't generate a reply. ${reply.error?.message}`);
  const shown = JSON.stringify(reply);
  for (const secret of [PROVIDER_KEY, '127.0.0.1', 'http:', 'scripted', 'canary']) {
    expect(shown).not.toContain(secret);
  }
}

describe.each(['ada', 'claude'] as const)('a reply of %s', (slug) => {
  it('is what the model says, with its token count and duration', async () => {
    const usage = { inputTokens: 321, outputTokens: 45 };
    const reply = await askWith(slug, [{ text: 'Grüße, 你好 🎉', chunks: 5, usage }]);
    expect(reply).toMatchObject({
      agentSlug: slug,
      status: 'COMPLETED',
      body: 'Grüße, 你好 🎉',
      error: null,
      usage: { ...usage, credits: 0, latencyMs: expect.any(Number) },
    });
    const { headers } = servers[slug].requests.at(-1) ?? {};
    const sent = slug === 'ada' ? headers?.authorization : headers?.['x-api-key'];
    expect(sent).toContain(PROVIDER_KEY);
  });

  it('is what GET /models tells about the model, as is a failure', async () => {
    const lastResult = async (org = stage.org) => {
      const { json } = await stage.call('GET', '/api/models', org.member);
      const items = json.data.items as { slug: string; lastResult: unknown }[];
      return items.find((model) => model.slug === slug)?.lastResult;
    };
    const failure = await askWith(slug, [{ status: 401 }]);
    const { status, error } = failure;
    expect(await lastResult()).toEqual({ status, error, at: failure.createdAt });
    const reply = await askWith(slug, ['Back again.']);
    expect(await lastResult()).toEqual({ status: 'COMPLETED', error: null, at: reply.createdAt });
    expect(await lastResult(await createTestOrg(stage.server.db))).toBeNull();
  });

  it('cites the memories it refers to, by number, and no others', async () => {
    const ids = [
      await room.remember(`The ${slug} lighthouse is painted red and white.`),
      await room.remember(`The ${slug} lighthouse was built in 1899.`),
    ];
    servers[slug].answerWith((request) => {
      const content = request.messages.at(-1)?.content ?? '';
      const year = /<memory id="(m\d+)"[^>]*>\nThe \S+ lighthouse was built/.exec(content)?.[1];
      return `In 1899 [${year}], surely [${year}], not [m77] or [x].`;
    });
    const [reply] = await room.ask(`@${slug} when was the ${slug} lighthouse built?`);
    expect(reply?.citations).toEqual([{ memoryId: ids[1] }]);
    expect(reply?.body).toBe('In 1899 [1], surely [1], not [m77] or [x].');
  });

  it('lands after a 429 with Retry-After', async () => {
    const before = servers[slug].requests.length;
    const reply = await askWith(slug, [
      { status: 429, headers: { 'retry-after': '1' } },
      'Here I am.',
    ]);
    expect(reply).toMatchObject({ status: 'COMPLETED', body: 'Here I am.' });
    expect(servers[slug].requests.length - before).toBe(2);
  });

  it('lands whole after two answers that were cut off, with the count of the third only', async () => {
    const before = servers[slug].requests.length;
    const usage = { inputTokens: 321, outputTokens: 45 };
    const reply = await askWith(slug, [
      { text: 'Here', ending: 'cut' },
      { text: 'Here I', ending: 'close' },
      { text: 'Here I am.', usage },
    ]);
    expect(reply).toMatchObject({ status: 'COMPLETED', body: 'Here I am.', usage });
    expect(servers[slug].requests.length - before).toBe(3);
    expect(await room.list()).toHaveLength(2);
  });

  it.each<[string, ScriptedAnswer, string]>([
    ['500s', { status: 500, body: `canary ${PROVIDER_KEY}` }, 'provider_error'],
    ['a refused key', { status: 401, body: `{"canary":"${PROVIDER_KEY}"}` }, 'provider_error'],
    ['a 429 for an hour', { status: 429, headers: { 'retry-after': '3600' } }, 'rate_limited'],
    ['garbage', { raw: 'data: canary {{{\n\n' }, 'provider_error'],
    ['a broken connection', { text: 'canary, and then', ending: 'cut' }, 'provider_error'],
    ['nothing', { text: '' }, 'empty_answer'],
    ['blank lines', { text: ' \n \n' }, 'empty_answer'],
    ['a refusal', { text: '', finish: 'refused' }, 'refused'],
    ['a flood that says nothing', { flood: true }, 'provider_error'],
    ['no answer', { hang: 'silent' }, 'timeout'],
  ])('is FAILED, and says why: %s', async (_case, answer, code) => {
    expectFailed(await askWith(slug, [answer]), code);
  });

  it('of 1 MB is cut to the length of a message, and says so', async () => {
    const reply = await askWith(slug, [{ text: '🎉 wall of text '.repeat(70_000), chunks: 50 }]);
    expect(reply.status).toBe('COMPLETED');
    expect(Array.from(reply.body).length).toBeLessThanOrEqual(20_000);
    expect(reply.body).toMatch(/^🎉 wall[^]*\*\(Truncated: the answer/);
  });

  it('with NUL, lone surrogates and invalid UTF-8 is stored well-formed', async () => {
    const reply = await askWith(slug, [{ text: 'a\0b\ud800c', chunks: 2 }]);
    expect(reply.body).toBe('ab\ufffdc');
    const event =
      slug === 'ada'
        ? '{"choices":[{"index":0,"delta":{"content":"caf?!"},"finish_reason":"stop"}]}'
        : '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"caf?!"}}';
    const bytes = Buffer.from(`data: ${event}\n\n`);
    bytes[bytes.indexOf('?')] = 0xff;
    const odd = await askWith(slug, [{ raw: bytes }]);
    if (odd.status === 'COMPLETED') expect(odd.body).toBe('caf\ufffd!');
    else expectFailed(odd, 'provider_error');
  });
});

describe('failures', () => {
  it('leave no key, address or body of a provider in the log', () => {
    const logged = stage.server.logLines.join('');
    expect(logged).toContain('model request failed');
    for (const secret of [PROVIDER_KEY, 'canary', servers.ada.baseUrl]) {
      expect(logged).not.toContain(secret);
    }
  });

  it('of an unreachable provider: FAILED as well', async () => {
    const gone = await startOpenAiChatServer();
    await gone.close();
    const other = await startAgentStage([{ slug: 'gone', server: gone }]);
    onTestFinished(() => other.stop());
    const place = await other.openRoom();
    const [reply] = await place.ask('@gone hello?');
    expectFailed(reply as ShownMessage, 'provider_error');
  });
});
