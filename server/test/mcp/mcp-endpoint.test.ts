import type { Client } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/features/keys/scopes.ts';
import { createCaller, type Call } from '../harness/clients/client.ts';
import { addPerson, createTestOrg, keyWithScopes, type TestOrg } from '../harness/factories.ts';
import { callTool, connectMcp, ERAS, refusalOf } from '../harness/clients/mcp-client.ts';
import { NEEDS } from './tool-scopes.ts';
import { startTestServer, type TestServer } from '../harness/processes/server.ts';

const TOOL_NAMES = [
  'search_memory add_memory list_memories list_projects list_agents list_model_providers list_members set_status',
  'list_sessions list_followed_sessions open_direct follow_session leave_session list_messages list_notifications',
  'search_messages search_documents read_document post_message react_to_message list_pins pin_message schedule_message list_scheduled_messages cancel_scheduled_message',
  'list_reminders create_reminder cancel_reminder list_tasks create_task update_task start_task',
].flatMap((names) => names.split(' '));
const UNKNOWN_ID = 'cmf3k2v8q0001x5p7h9d4t6wz';

let server: TestServer;
let call: Call;
let org: TestOrg;
let other: TestOrg;
let project: { id: string; slug: string };
let closed: { id: string; slug: string };
let sessionId: string;
const clients: Client[] = [];

beforeAll(async () => {
  server = await startTestServer();
  call = createCaller(server.origin);
  org = await createTestOrg(server.db);
  other = await createTestOrg(server.db);
  const { key } = org.owner;
  const create = async (path: string, body: object) =>
    (await call('POST', path, { key, body })).json.data;
  project = await create('/api/projects', { name: 'Pricing', description: 'What we charge.' });
  closed = await create('/api/projects', { name: 'Closed', access: 'MEMBERS' });
  sessionId = (await create(`/api/spaces/${project.slug}/sessions`, { name: 'Price list' })).id;
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await server.stop();
});

async function connect(key: string, era: (typeof ERAS)[number] = 'legacy'): Promise<Client> {
  const client = await connectMcp(server.origin, key, era);
  clients.push(client);
  return client;
}

/** A separate member of the org, because each key has its own quotas. */
async function newcomer(): Promise<{ userId: string; key: string }> {
  return addPerson(server.db, org.orgId, 'MEMBER');
}

describe.each(ERAS)('a client of the %s era', (era) => {
  let client: Client;
  let key: string;
  beforeAll(async () => {
    ({ key } = await newcomer());
    client = await connect(key, era);
  });

  it('learns who we are and how to use the workspace', () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'atrium', version: '2.0.0' });
    expect(client.getInstructions()).toContain('search_memory');
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {} });
  });

  it('lists the tools with schemas and annotations', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOL_NAMES);
    const validator = new AjvJsonSchemaValidator();
    for (const { name, title, inputSchema, outputSchema, annotations, description } of tools) {
      expect([title, description?.length], name).not.toContain(undefined);
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema, name).toMatchObject({ type: 'object' });
      expect(JSON.stringify([inputSchema, outputSchema]), name).not.toContain('$ref');
      validator.getValidator(inputSchema as object);
      const accepts = validator.getValidator(outputSchema as object);
      expect(accepts({}).valid, name).toBe(false);
      expect(accepts({ error: { code: 'X', message: 'x', details: {} } }).valid, name).toBe(true);
      const reads = /^(search|list|read)_/.test(name);
      expect(annotations, name).toEqual({
        title,
        readOnlyHint: reads,
        destructiveHint: /^(update|cancel|follow|leave)_/.test(name),
        idempotentHint: reads,
        openWorldHint: ['post_message', 'schedule_message', 'start_task'].includes(name),
      });
    }
    const [search] = tools;
    expect(search?.inputSchema.required).toEqual(['query']);
    expect(search?.inputSchema.properties?.['visibility']).toMatchObject({
      type: 'string',
      enum: ['PRIVATE', 'PROJECT', 'ORG'],
    });
  });

  it('remembers, lists and finds memories, like the HTTP operations', async () => {
    const content = `The ${era} client prefers tea.`;
    const added = await callTool(client, 'add_memory', { content, visibility: 'PRIVATE' });
    expect(added.isError, added.text).toBe(false);
    expect(JSON.parse(added.text)).toEqual(added.data);
    const shown = await call('GET', `/api/memory/${added.data.id}`, { key });
    expect(added.data).toEqual(shown.json.data);
    const listed = await callTool(client, 'list_memories', { visibility: 'PRIVATE', limit: 5 });
    expect(listed.data).toEqual({ items: [added.data], nextBefore: null, hasMore: false });
    const found = await callTool(client, 'search_memory', { query: 'what does it like to drink?' });
    expect(found.data.items[0]).toMatchObject({ id: added.data.id, score: expect.any(Number) });
  });

  it('lists Projects, agents, people, sessions, messages and notifications', async () => {
    const projects = await callTool(client, 'list_projects', { limit: 1, page: 1 });
    const agents = await callTool(client, 'list_agents', {});
    const sessions = await callTool(client, 'list_sessions', { slug: project.slug, limit: null });
    const messages = await callTool(client, 'list_messages', { slug: project.slug, sessionId });
    const told = await callTool(client, 'list_notifications', { unread: true });
    const path = `/api/spaces/${project.slug}/sessions`;
    const urls = ['/api/projects?limit=1', '/api/agents', path, `${path}/${sessionId}/messages`];
    const same = await Promise.all(
      [...urls, '/api/notifications?unread=true'].map(
        async (url) => (await call('GET', url, { key })).json.data,
      ),
    );
    const listed = [projects, agents, sessions, messages, told].map(({ data }) => data);
    expect(listed).toEqual(same);
    expect((await callTool(client, 'list_members', {})).data.items[0].localTime).toBeNull();
    expect(projects.data.items[0].slug).toBe(project.slug);
  });

  it('posts a message; a mention makes the model answer', async () => {
    const posted = await callTool(client, 'post_message', {
      slug: project.slug,
      sessionId,
      body: '@recall what do we charge?',
    });
    expect(posted.data, posted.text).toMatchObject({ authorKind: 'USER', mentions: ['recall'] });
    const jobs = await server.db.query(`SELECT 1 AS found FROM jobs WHERE payload::text LIKE $1`, [
      `%${posted.data.id}%`,
    ]);
    expect(jobs).toHaveLength(1);
    const listed = await callTool(client, 'list_messages', {
      slug: project.slug,
      sessionId,
      limit: 1,
    });
    expect(listed.data.items).toEqual([posted.data]);
  });

  it('reads Projects and sessions as resources', async () => {
    const { resources } = await client.listResources();
    expect(resources).toContainEqual(
      expect.objectContaining({ uri: `atrium://projects/${project.slug}`, title: 'Pricing' }),
    );
    expect(resources.map(({ name }) => name)).not.toContain(closed.slug);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'atrium://projects/{slug}',
      'atrium://projects/{slug}/sessions/{sessionId}',
      'atrium://files/{fileId}',
    ]);
    const read = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      expect(content).toMatchObject({ uri, mimeType: 'application/json' });
      return JSON.parse(content && 'text' in content ? content.text : '');
    };
    const shown = await call('GET', `/api/projects/${project.id}`, { key });
    expect(await read(`atrium://projects/${project.slug}`)).toEqual(shown.json.data);
    const session = await read(`atrium://projects/${project.slug}/sessions/${sessionId}`);
    expect(session).toMatchObject({
      session: { id: sessionId },
      messages: { total: expect.any(Number), items: expect.any(Array) },
    });
  });

  it('is refused resources it may not see, or that do not exist', async () => {
    const refused = async (uri: string) => {
      const error = await client.readResource({ uri }).then(
        () => undefined,
        (thrown: unknown) => thrown as { code: number; data?: unknown },
      );
      return error?.code;
    };
    expect(await refused(`atrium://projects/${closed.slug}`)).toBe(-32_600);
    for (const path of [
      'nothing',
      '%00',
      '%E0%A4%A',
      `${project.slug}/sessions/${UNKNOWN_ID}`,
      `${project.slug}/sessions/x%00`,
      `${project.slug}/other`,
      '',
    ]) {
      expect(await refused(`atrium://projects/${path}`), path).toBe(-32_602);
    }
    expect(await refused('file:///etc/passwd')).toBe(-32_602);
    await expect(client.listResources({ cursor: 'x' })).rejects.toMatchObject({ code: -32_602 });
  });

  it('gets a protocol error for an unknown tool or method', async () => {
    await expect(client.callTool({ name: 'drop_table', arguments: {} })).rejects.toMatchObject({
      code: -32_602,
    });
    await expect(client.listPrompts()).resolves.toEqual({ prompts: [] });
  });
});

describe('tools/call', () => {
  it('isError: the key lacks the scope, tool by tool', async () => {
    const { userId } = await newcomer();
    const each = Object.entries(NEEDS).flatMap(([name, scopes]) =>
      [scopes].flat().map((scope) => [name, scope] as const),
    );
    for (const [name, scope] of each) {
      const scopes = SCOPES.filter((other) => other !== scope);
      const { key } = await keyWithScopes(server.db, org.orgId, userId, scopes);
      const refused = await callTool(await connect(key), name);
      expect(refused.data.error, name).toEqual({
        code: 'FORBIDDEN',
        message: `This key lacks the scope ${scope}.`,
        details: { reason: 'missing_scope', scopes: [scope] },
      });
      expect(refused.text).toBe(`FORBIDDEN: This key lacks the scope ${scope}.`);
    }
    const { key } = await keyWithScopes(server.db, org.orgId, userId, ['memory:read']);
    const client = await connect(key);
    await expect(client.listResources()).rejects.toMatchObject({
      code: -32_600,
      data: { code: 'FORBIDDEN', details: { reason: 'missing_scope' } },
    });
  });

  it('isError: not a member of the Project, another org, unknown ids', async () => {
    const member = await connect((await newcomer()).key);
    const stranger = await connect(other.owner.key);
    const inSession = { slug: project.slug, sessionId };
    const memory = { content: 'x', visibility: 'PROJECT' };
    const cases: [Client, string, Record<string, unknown>, string][] = [
      [member, 'list_sessions', { slug: closed.slug }, 'FORBIDDEN not_project_member'],
      [member, 'add_memory', { ...memory, projectId: closed.id }, 'FORBIDDEN not_project_member'],
      [
        member,
        'search_memory',
        { query: 'x', projectId: closed.id },
        'FORBIDDEN not_project_member',
      ],
      [
        member,
        'search_messages',
        { query: 'x', projectId: closed.id },
        'FORBIDDEN not_project_member',
      ],
      [stranger, 'search_messages', { query: 'x', sessionId }, 'NOT_FOUND'],
      [member, 'list_memories', { projectId: UNKNOWN_ID }, 'NOT_FOUND'],
      [member, 'list_messages', { slug: project.slug, sessionId: UNKNOWN_ID }, 'NOT_FOUND'],
      [member, 'list_messages', { slug: project.slug, sessionId: 'no id' }, 'NOT_FOUND'],
      [member, 'list_messages', { slug: 'nothing', sessionId }, 'NOT_FOUND'],
      [member, 'post_message', { slug: 'nothing', sessionId, body: 'x' }, 'NOT_FOUND'],
      [stranger, 'list_sessions', { slug: project.slug }, 'NOT_FOUND'],
      [stranger, 'list_messages', inSession, 'NOT_FOUND'],
      [stranger, 'post_message', { ...inSession, body: 'x' }, 'NOT_FOUND'],
      [stranger, 'add_memory', { ...memory, projectId: project.id }, 'NOT_FOUND'],
      [stranger, 'search_memory', { query: 'x', projectId: project.id }, 'NOT_FOUND'],
      [stranger, 'list_memories', { projectId: project.id }, 'NOT_FOUND'],
    ];
    for (const [client, name, args, refusal] of cases) {
      expect(refusalOf(await callTool(client, name, args)), `${name} ${JSON.stringify(args)}`).toBe(
        refusal,
      );
    }
    expect((await callTool(stranger, 'list_projects')).data).toMatchObject({ items: [], total: 0 });
  });

  it('a status and a reaction are the person’s own, and only OWNERs list model providers', async () => {
    const { key } = await newcomer();
    const member = await connect(key);
    const status = { emoji: '🎧', text: 'Reading', until: null };
    const { data } = await callTool(member, 'set_status', { status });
    expect(data).toEqual({ status });
    expect((await call('GET', '/api/me', { key })).json.data).toMatchObject(data);
    const { slug } = project;
    const posted = await callTool(member, 'post_message', { slug, sessionId, body: 'Done' });
    const messageId = posted.data.id;
    const reaction = await callTool(member, 'react_to_message', { slug, messageId, emoji: '🎉' });
    expect(reaction.data).toMatchObject({ messageId, emoji: '🎉' });
    expect(refusalOf(await callTool(member, 'list_model_providers'))).toBe('FORBIDDEN role');
    const owner = await connect(org.owner.key);
    expect((await callTool(owner, 'list_model_providers')).data).toEqual({ items: [], total: 0 });
  });

  it('isError: bad arguments, all at once and by name', async () => {
    const client = await connect((await newcomer()).key);
    const inSession = { slug: project.slug, sessionId };
    const cases: [string, Record<string, unknown>, string[]][] = [
      ['search_memory', { limit: 0 }, ['arguments.query required', 'arguments.limit too_small']],
      ['search_memory', { query: 'x', limit: '5' }, ['arguments.limit invalid_type']],
      [
        'search_memory',
        { query: ' ', typo: 1 },
        ['arguments.query required', 'arguments.typo unknown_field'],
      ],
      ['add_memory', { content: 'x', visibility: 'PROJECT' }, ['arguments.projectId required']],
      [
        'add_memory',
        { content: 'a\0b', visibility: 'ORG' },
        ['arguments.content invalid_character'],
      ],
      ['list_memories', { before: UNKNOWN_ID }, ['arguments.before invalid_value']],
      [
        'list_projects',
        { page: 0, limit: 101 },
        ['arguments.page too_small', 'arguments.limit too_big'],
      ],
      [
        'list_sessions',
        { status: 'GONE' },
        ['arguments.slug required', 'arguments.status invalid_value'],
      ],
      ['list_messages', { ...inSession, before: 'x' }, ['arguments.before invalid_value']],
      [
        'list_messages',
        { ...inSession, before: 'x', around: 'y' },
        ['arguments.around invalid_value'],
      ],
      [
        'search_messages',
        { query: '', limit: 0 },
        ['arguments.query required', 'arguments.limit too_small'],
      ],
      ['post_message', { ...inSession, body: 'x'.repeat(20_001) }, ['arguments.body too_long']],
      [
        'post_message',
        { ...inSession, body: 'x', parentMessageId: 'x' },
        ['arguments.parentMessageId invalid_value'],
      ],
    ];
    for (const [name, args, problems] of cases) {
      const { data, isError, text } = await callTool(client, name, args);
      expect([isError, data.error?.code], name).toEqual([true, 'VALIDATION_ERROR']);
      const found: { location: string; code: string }[] = data.error.details.errors;
      expect(found.map(({ location, code }) => `${location} ${code}`).toSorted()).toEqual(
        problems.toSorted(),
      );
      expect(text).toContain(found[0]?.location);
      expect(data.error.message).toContain('arguments.');
    }
  });

  it('isError: an internal error is logged and not revealed', async () => {
    const { key } = await newcomer();
    const client = await connect(key);
    await server.db.query('ALTER TABLE memories RENAME TO memories_away');
    const failed = await callTool(client, 'list_memories');
    await server.db.query('ALTER TABLE memories_away RENAME TO memories');
    expect(failed.data.error).toEqual({
      code: 'INTERNAL_ERROR',
      message: expect.stringContaining('went wrong on the server'),
      details: {},
      requestId: expect.any(String),
    });
    expect(JSON.stringify(failed)).not.toContain('memories_away');
    const logged = server.logLines.filter((line) => line.includes(failed.data.error.requestId));
    expect(logged.some((line) => line.includes('MCP request failed'))).toBe(true);
    expect(server.logLines.join('')).not.toContain(key);
  });

  it('never mixes up callers: 50 keys at once, each with the same message ids', async () => {
    const people = await Promise.all(Array.from({ length: 50 }, () => newcomer()));
    for (const [index, { key }] of people.entries()) {
      const body = { content: `secret ${index}`, visibility: 'PRIVATE' };
      await call('POST', '/api/memory', { key, body });
    }
    const answers = await Promise.all(
      people.map(async ({ key }, index) => {
        const message = {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'list_memories', arguments: { visibility: 'PRIVATE' } },
        };
        const reply = await call('POST', '/api/mcp', { key, body: message });
        const { items } = reply.json.result.structuredContent;
        return (
          items.map(({ content }: { content: string }) => content).join() === `secret ${index}`
        );
      }),
    );
    expect(answers).toEqual(people.map(() => true));
  });
});
