import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  startAgentStage,
  until,
  type AgentStage,
  type Room,
} from '../harness/stages/agent-stage.ts';
import { createAuthority } from '../harness/outside/certificates.ts';
import {
  startEverythingServer,
  type EverythingServer,
} from '../harness/outside/everything-server.ts';
import type { ModelServer } from '../harness/outside/model-server.ts';
import { startOpenAiChatServer } from '../harness/outside/openai-chat-server.ts';

/** Against the protocol's own test server, as its package runs it, over HTTPS. */
let everything: EverythingServer;
let model: ModelServer;
let stage: AgentStage;
let room: Room;
let serverId: string;

beforeAll(async () => {
  const authority = createAuthority();
  [everything, model] = await Promise.all([
    startEverythingServer(authority),
    startOpenAiChatServer(),
  ]);
  const env = { MCP_ALLOW_HOSTS: everything.host };
  stage = await startAgentStage([{ slug: 'ada', server: model }], {
    env,
    ca: authority.certificate,
  });
  const body = {
    displayName: 'Everything',
    mentionSlug: 'everything',
    endpointUrl: everything.url,
    authType: 'NONE',
  };
  const { status, json } = await stage.call('POST', '/api/mcp/servers', {
    key: stage.org.owner.key,
    body,
  });
  expect(status).toBe(201);
  serverId = json.data.id;
});
beforeEach(async () => {
  room = await stage.openRoom();
  model.requests.length = 0;
});
afterAll(async () => {
  await stage.stop();
  await Promise.all([everything.close(), model.close()]);
});

const use = (name: string, input: object = {}) => ({ name, input });

describe('server-everything', () => {
  it('describes itself when it is tested, and its session is ended', async () => {
    const path = `/api/mcp/servers/${serverId}/test-connection`;
    const { json } = await stage.call('POST', path, { key: stage.org.owner.key });
    expect(json.data).toEqual({
      ok: true,
      protocolVersion: expect.stringMatching(/^2025-\d\d-\d\d$/),
      serverInfo: { name: 'mcp-servers/everything', version: expect.any(String) },
      capabilities: expect.objectContaining({ tools: expect.any(Object) }),
      latencyMs: expect.any(Number),
    });
    const list = await stage.call('GET', '/api/mcp/servers', { key: stage.org.member.key });
    expect(list.json.data.items[0]).toMatchObject({
      lastTestedAt: expect.any(String),
      lastError: null,
    });
    const [, session] = /initialized with ID: (\S+)/.exec(everything.output()) ?? [];
    await until(async () => everything.output().includes(`closed for session ${session}`));
  });

  it('offers its tools; the model uses two of them and answers', async () => {
    model.answerWith([
      { toolCalls: [use('echo', { message: 'hello' })] },
      { toolCalls: [use('get-sum', { a: 2, b: 40 })] },
      'It is 42.',
    ]);
    const [reply] = await room.ask('@everything what is 2 + 40?');
    expect(reply).toMatchObject({
      authorKind: 'AGENT',
      agentSlug: 'ada',
      status: 'COMPLETED',
      error: null,
      body: 'It is 42.',
    });
    expect(reply?.toolCalls).toEqual([
      {
        server: 'everything',
        name: 'echo',
        arguments: { message: 'hello' },
        result: 'Echo: hello',
        isError: false,
        latencyMs: expect.any(Number),
      },
      {
        server: 'everything',
        name: 'get-sum',
        arguments: { a: 2, b: 40 },
        result: 'The sum of 2 and 40 is 42.',
        isError: false,
        latencyMs: expect.any(Number),
      },
    ]);
    expect(model.requests[0]?.tools).toEqual(expect.arrayContaining(['echo', 'get-sum']));
    expect(model.requests[2]?.messages.at(-1)).toEqual({
      role: 'tool',
      content: '<tool_result>\nThe sum of 2 and 40 is 42.\n</tool_result>',
    });
  });

  it('reports what is wrong with the arguments, and the model is told', async () => {
    model.answerWith([{ toolCalls: [use('get-sum', { a: 'two' })] }, 'Sorry.']);
    const [reply] = await room.ask('@everything add');
    expect(reply).toMatchObject({ status: 'COMPLETED', body: 'Sorry.' });
    expect(reply?.toolCalls).toEqual([
      expect.objectContaining({ name: 'get-sum', arguments: { a: 'two' }, isError: true }),
    ]);
    expect(model.requests[1]?.messages.at(-1)?.content).toMatch(/^<tool_result failed="true">/);
  });

  it('images are named, not passed on; structured results and links become text', async () => {
    model.answerWith([
      {
        toolCalls: [
          use('get-tiny-image'),
          use('get-structured-content', { location: 'Chicago' }),
          use('get-resource-links', { count: 1 }),
        ],
      },
      'Done.',
    ]);
    const [reply] = await room.ask('@everything show');
    const calls = (reply?.toolCalls ?? []) as { name: string; result: string }[];
    const results = new Map(calls.map((each) => [each.name, each]));
    expect(results.get('get-tiny-image')?.result).toContain('[image omitted]');
    expect(results.get('get-structured-content')?.result).toContain('temperature');
    expect(results.get('get-resource-links')?.result).toMatch(/\[link: \S+\]/);
  });

  it('a tool takes longer than ten seconds: it fails, and the model answers', async () => {
    model.answerWith([
      { toolCalls: [use('trigger-long-running-operation', { duration: 30, steps: 2 })] },
      'It is slow.',
    ]);
    const [reply] = await room.ask('@everything wait');
    expect(reply).toMatchObject({ status: 'COMPLETED', body: 'It is slow.' });
    expect(reply?.toolCalls).toEqual([expect.objectContaining({ isError: true })]);
  });

  it('at most eight calls, however many the model requests', async () => {
    const calls = (count: number) =>
      Array.from({ length: count }, (_, at) => use('echo', { message: `${at}` }));
    model.answerWith([{ toolCalls: calls(3) }, { toolCalls: calls(30) }, 'Enough.']);
    const [reply] = await room.ask('@everything again and again');
    expect(reply).toMatchObject({ status: 'COMPLETED', body: 'Enough.' });
    expect(reply?.toolCalls).toHaveLength(8);
    expect(model.requests.at(-1)?.toolChoice).toBe('none');
  });
});
