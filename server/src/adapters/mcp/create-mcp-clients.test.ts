import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createAuthority } from '../../../test/harness/outside/certificates.ts';
import {
  answer,
  GREETING,
  speakMcp,
  startMcpUpstream,
  words,
  type McpUpstream,
  type UpstreamTool,
} from '../../../test/harness/outside/mcp-upstream.ts';
import { createSafeFetch } from '../safe-fetch/create-safe-fetch.ts';
import { createMcpClients } from './create-mcp-clients.ts';
import type { McpClients, McpConnection, RemoteTool } from './mcp-client.ts';

const authority = createAuthority();
const never = new AbortController().signal;
const target = () => ({ url: upstream.url, headers: {} });
let upstream: McpUpstream;
let clients: McpClients;
let connection: McpConnection;

beforeAll(async () => {
  upstream = await startMcpUpstream(authority);
  const safeFetch = createSafeFetch({
    allowHosts: [upstream.host],
    dnsServers: [],
    ownOrigin: 'https://atrium.example.com',
    ca: authority.certificate,
  });
  clients = createMcpClients(safeFetch);
});
beforeEach(() => void (upstream.requests.length = 0));
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await clients.close();
  await upstream.close();
});

async function offer(...tools: UpstreamTool[]): Promise<RemoteTool[]> {
  upstream.answerWith(speakMcp(tools));
  connection = await clients.connect(target());
  return connection.listTools(never);
}

async function use(tool: UpstreamTool, input: unknown = {}) {
  const [remote] = await offer(tool);
  return connection.callTool(remote as RemoteTool, input, never);
}

describe('the tools of a server', () => {
  it('are read page by page', async () => {
    const speak = speakMcp();
    upstream.answerWith((message, response, request) => {
      if (message.method !== 'tools/list') {
        speak(message, response, request);
        return;
      }
      const page = Number(message.params?.['cursor'] ?? 0);
      const tools = [{ name: `tool-${page}`, inputSchema: { type: 'object' } }];
      answer(response, message.id, { tools, ...(page < 3 && { nextCursor: `${page + 1}` }) });
    });
    const tools = await (await clients.connect(target())).listTools(never);
    expect(tools.map(({ name }) => name)).toEqual(['tool-0', 'tool-1', 'tool-2', 'tool-3']);
  });

  it('that no model could use are left out, and long descriptions are cut', async () => {
    const many = Array.from({ length: 70 }, (_, at) => ({ name: `t${at}` }));
    const tools = await offer(
      { name: '' },
      { name: 'x'.repeat(129) },
      { name: 'nul\0' },
      { name: 'half\ud800' },
      { name: 'huge', inputSchema: { type: 'object', description: 'x'.repeat(17_000) } },
      { name: 'wordy', description: `${'x'.repeat(1_023)}💡${'x'.repeat(5_000)}\0` },
      ...many,
    );
    expect(tools).toHaveLength(64);
    expect(tools[0]).toMatchObject({ name: 'wordy', description: `${'x'.repeat(1_023)}\ufffd` });
  });

  it('are cut if their schemas are too large together', async () => {
    const inputSchema = { type: 'object', description: 'x'.repeat(15_000) };
    const tools = await offer(
      ...Array.from({ length: 64 }, (_, at) => ({ name: `t${at}`, inputSchema })),
    );
    expect(tools).toHaveLength(8);
  });

  it('are empty if the server does not announce any; it is not asked', async () => {
    upstream.answerWith(speakMcp([{ name: 'x' }], { capabilities: {} }));
    const debug = vi.spyOn(console, 'debug');
    expect(await (await clients.connect(target())).listTools(never)).toEqual([]);
    expect(upstream.methods()).not.toContain('tools/list');
    expect(debug).not.toHaveBeenCalled();
  });
});

describe('a call of a tool', () => {
  it.each([
    ['text', { content: [{ type: 'text', text: 'a\0b' }, { type: 'text', text: 'c\udc00' }] }, 'ab\nc\ufffd'], // prettier-ignore
    ['nothing', { content: [] }, ''],
    ['data', { content: [], structuredContent: { a: [1] } }, '{"a":[1]}'],
    ['an image', { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }, '[image omitted]'], // prettier-ignore
    ['a text resource', { content: [{ type: 'resource', resource: { uri: 'x:y', text: 'words' } }] }, 'words'], // prettier-ignore
    ['a binary resource', { content: [{ type: 'resource', resource: { uri: 'x:y', blob: 'AAAA' } }] }, '[resource omitted]'], // prettier-ignore
    ['a link', { content: [{ type: 'resource_link', uri: 'x:y', name: 'n' }] }, '[link: x:y]'],
    ['too much', words('x'.repeat(20_001)), `${'x'.repeat(20_000)} …`],
  ])('returns its text: %s', async (_, result, text) => {
    expect(await use({ name: 'x', run: () => result })).toEqual({ text, isError: false });
  });

  it('passes on the tool’s own error message', async () => {
    const result = await use({ name: 'x', run: () => words('no such issue', true) });
    expect(result).toEqual({ text: 'no such issue', isError: true });
  });

  it('passes on a protocol error, so that the model can fix its arguments', async () => {
    const [tool] = await offer({ name: 'x' });
    upstream.answerWith(({ id }, response) =>
      respond(response, { id, error: { code: -32602, message: 'a is missing' } }),
    );
    const result = await connection.callTool(tool as RemoteTool, {}, never);
    expect(result).toEqual({ text: expect.stringContaining('a is missing'), isError: true });
  });

  it.each([null, 'text', 7, undefined])(
    'with %j as its arguments: none are sent',
    async (input) => {
      const given: unknown[] = [];
      await use({ name: 'x', run: (each) => (given.push(each), words('')) }, input);
      expect(given).toEqual([{}]);
    },
  );

  it('does not run a validator that the server wrote', async () => {
    const outputSchema = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^(a+)+$' } },
      required: ['b'],
    };
    const structuredContent = { a: `${'a'.repeat(40)}!` };
    const result = await use({
      name: 'x',
      outputSchema,
      run: () => ({ content: [], structuredContent }),
    });
    expect(result).toEqual({ text: JSON.stringify(structuredContent), isError: false });
  });

  it('stops when the caller does, with the caller’s reason', async () => {
    const [tool] = await offer({ name: 'x' });
    upstream.answerWith(() => {});
    const stop = new AbortController();
    const calling = connection.callTool(tool as RemoteTool, {}, stop.signal);
    const reason = new Error('the job was handed back');
    stop.abort(reason);
    await expect(calling).rejects.toBe(reason);
    connection.close();
  });

  it('does not disturb a concurrent one', async () => {
    const [tool] = await offer({ name: 'x' });
    upstream.answerWith(({ id, params }, response) => {
      if (params?.arguments?.['fail']) {
        response.destroy();
        return;
      }
      setTimeout(() => answer(response, id, words('fine')), 50);
    });
    const [failed, fine] = await Promise.allSettled(
      [{ fail: true }, {}].map((input) => connection.callTool(tool as RemoteTool, input, never)),
    );
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'network' } });
    expect(fine).toMatchObject({ value: { text: 'fine' } });
  });
});

describe('a server that only speaks the newest protocol', () => {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'newest', version: '3.0.0' });
      server.registerTool(
        'shout',
        { description: 'Says it louder.', inputSchema: z.object({ words: z.string() }) },
        ({ words: said }) => ({ content: [{ type: 'text', text: said.toUpperCase() }] }),
      );
      return server;
    },
    { legacy: 'reject' },
  );

  beforeEach(() => {
    upstream.answerWith((_, response, request) => {
      const seen = upstream.requests.find(({ headers }) => headers === request.headers);
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
      const { method = '', body = '' } = seen ?? {};
      const url = `https://${upstream.host}${request.url}`;
      const pass = async () => {
        const reply = await handler.fetch(
          new Request(url, { method, headers, ...(body !== '' && { body }) }),
        );
        response.writeHead(reply.status, Object.fromEntries(reply.headers));
        response.end(Buffer.from(await reply.arrayBuffer()));
      };
      void pass();
    });
  });

  it('is greeted in its own way if it does not understand `initialize`', async () => {
    const { greeting } = await clients.connect(target());
    expect(greeting).toMatchObject({
      protocolVersion: '2026-07-28',
      serverInfo: { name: 'newest', version: '3.0.0' },
      capabilities: { tools: expect.any(Object) },
    });
    expect(upstream.methods().slice(0, 2)).toEqual(['initialize', 'server/discover']);
  });

  it('lists its tools and runs them', async () => {
    connection = await clients.connect(target());
    const [tool] = await connection.listTools(never);
    expect(tool).toMatchObject({ name: 'shout', description: 'Says it louder.' });
    const result = await connection.callTool(tool as RemoteTool, { words: 'hello' }, never);
    expect(result).toEqual({ text: 'HELLO', isError: false });
  });

  it('that hangs then: both greetings share one time limit', async () => {
    upstream.answerWith(({ id, method }, response) => {
      if (method === 'initialize') respond(response, { id, error: { code: -32601, message: '' } });
    });
    const stop = AbortSignal.timeout(500);
    await expect(clients.connect(target(), stop)).rejects.toMatchObject({ code: 'timeout' });
  });
});

describe('a redirect', () => {
  it('within the origin is followed by safe-fetch, with our headers', async () => {
    const speak = speakMcp();
    upstream.answerWith((message, response, request) => {
      if (request.url !== '/mcp') {
        speak(message, response, request);
        return;
      }
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const headers = { 'x-key': 'k' };
    const { greeting } = await clients.connect({ url: upstream.url, headers });
    expect(greeting).toMatchObject({ serverInfo: GREETING.serverInfo });
    const sent = upstream.requests.map((request) => [request.path, request.headers['x-key']]);
    expect(sent.slice(0, 2)).toEqual([
      ['/mcp', 'k'],
      ['/elsewhere', 'k'],
    ]);
  });
});

function respond(response: ServerResponse, message: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
}
