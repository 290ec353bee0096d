import { describe, expect, it } from 'vitest';
import {
  dataOf,
  expectError,
  problemsOf,
  reasonOf,
} from '../../../test/harness/clients/envelope.ts';
import { addPerson, createTestOrg } from '../../../test/harness/factories.ts';
import { useAgentStage } from '../../../test/harness/stages/use-stage.ts';
import { useNewOrg } from '../../../test/harness/processes/use-test-org.ts';

const PATH = '/api/agents';
const UNKNOWN = 'cmf3k2v8q0001x5p7h9d4t6wz';

const { stage } = useAgentStage([{ slug: 'ada' }], { worker: false });
const org = useNewOrg(() => stage.server.db);
let slugs = 0;

const create = (fields: object = {}, by = org.owner) =>
  stage.call('POST', PATH, by, { slug: `agent-${++slugs}`, name: 'Agent', ...fields });
const patch = (id: string, body: object, by = org.owner) =>
  stage.call('PATCH', `${PATH}/${id}`, by, body);
const get = (id: string, by = org.owner) => stage.call('GET', `${PATH}/${id}`, by);
const list = async (by = org.owner): Promise<string[]> =>
  (await stage.call('GET', PATH, by)).json.data.items.map(({ slug }: { slug: string }) => slug);
const archive = (id: string, by = org.owner) => stage.call('DELETE', `${PATH}/${id}`, by);
const restore = (id: string, by = org.owner) => stage.call('POST', `${PATH}/${id}/restore`, by);

async function made(fields: object = {}, by = org.owner) {
  return dataOf(await create(fields, by), 201);
}

async function createProject(access = 'ORG', by = org.owner): Promise<string> {
  const body = { name: `Project ${++slugs}`, access };
  return (await stage.call('POST', '/api/projects', by, body)).json.data.id;
}

async function register(mentionSlug: string, by = org.owner) {
  const endpointUrl = 'https://93.184.216.34/mcp';
  const body = { displayName: 'Tools', mentionSlug, endpointUrl, authType: 'NONE' };
  return stage.call('POST', '/api/mcp/servers', by, body);
}

describe('POST /agents', () => {
  it('201: the record, with defaults', async () => {
    expect(await made({ slug: 'plain', name: ' Plain ' })).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      slug: 'plain',
      name: 'Plain',
      description: null,
      instructions: '',
      model: null,
      tools: [],
      mcpServerIds: [],
      projectIds: [],
      isEnabled: true,
      createdById: org.owner.userId,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      archivedAt: null,
    });
  });

  it('201: every field, kept as written, and read back the same', async () => {
    const { id: serverId } = (await register('tracker')).json.data;
    const projectId = await createProject();
    const fields = {
      description: 'd'.repeat(2000),
      instructions: ` ${'🦉'.repeat(7998)} `,
      model: 'ada',
      tools: ['search_memory', 'remember'],
      mcpServerIds: [serverId],
      projectIds: [projectId],
      isEnabled: false,
    };
    const agent = await made({ ...fields, projectIds: [projectId, projectId] });
    expect(agent).toMatchObject(fields);
    expect((await get(agent.id)).json.data).toEqual(agent);
    expect((await stage.call('GET', PATH, org.owner)).json.data).toEqual({
      items: [agent],
      total: 1,
    });
  });

  it('201: a MEMBER, for named Projects they belong to', async () => {
    const closed = await createProject('MEMBERS', org.member);
    const projectIds = [await createProject(), closed];
    expect(await made({ projectIds }, org.member)).toMatchObject({ projectIds });
  });

  it('400: fields, each named', async () => {
    const wrong = {
      slug: 'Not.A.Slug',
      name: '',
      description: 'd'.repeat(2001),
      instructions: 'i'.repeat(8001),
      tools: ['search_memory', 'send_money'],
      mcpServerIds: 1,
      more: 1,
    };
    expect(problemsOf(await create(wrong)).toSorted()).toEqual([
      'body.description too_long',
      'body.instructions too_long',
      'body.mcpServerIds invalid_type',
      'body.more unknown_field',
      'body.name required',
      'body.slug invalid_format',
      'body.tools[1] invalid_value',
    ]);
    expect(problemsOf(await create({ name: undefined, slug: undefined })).toSorted()).toEqual([
      'body.name required',
      'body.slug required',
    ]);
  });

  it("400: an unknown model, recall, and another organisation's MCP server", async () => {
    const other = await createTestOrg(stage.server.db);
    const foreign = (await register('foreign', other.owner)).json.data.id;
    const own = (await register('own')).json.data.id;
    const mcpServerIds = [own, foreign, UNKNOWN];
    expect(problemsOf(await create({ model: 'nobody', mcpServerIds }))).toEqual([
      'body.model invalid_value',
      'body.mcpServerIds[1] invalid_value',
      'body.mcpServerIds[2] invalid_value',
    ]);
    expect(problemsOf(await create({ model: 'recall' }))).toEqual(['body.model invalid_value']);
  });

  it('403 role: a MEMBER, for every Project', async () => {
    for (const projectIds of [undefined, null, []]) {
      const details = expectError(await create({ projectIds }, org.member), 'FORBIDDEN');
      expect(details).toEqual({ reason: 'role' });
    }
  });

  it('403 not_project_member, and 404 for a Project that the organisation does not have', async () => {
    const closed = await createProject('MEMBERS');
    const reply = await create({ projectIds: [closed] }, org.member);
    expect(expectError(reply, 'FORBIDDEN')).toEqual({ reason: 'not_project_member' });
    const other = await createTestOrg(stage.server.db);
    const foreign = await createProject('ORG', other.owner);
    for (const by of [org.owner, org.member]) {
      for (const id of [foreign, UNKNOWN]) {
        expectError(await create({ projectIds: [id] }, by), 'NOT_FOUND');
      }
    }
  });

  it('409 limit_reached: 200 live ones, and archiving makes room', async () => {
    await stage.server.db.query(
      `INSERT INTO agents (org_id, id, slug, name, instructions, tools, mcp_server_ids, project_ids,
         is_enabled, created_by_id, created_at, updated_at)
       SELECT $1, 'c' || n, 'n' || n, 'n', '', '{}', '{}', '{}', true, $2, now(), now()
       FROM generate_series(1, 199) n`,
      [org.orgId, org.owner.userId],
    );
    const replies = await Promise.all(Array.from({ length: 10 }, () => create()));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array(9).fill(409),
    ]);
    const refused = replies.find(({ status }) => status === 409);
    expect(refused?.json.error.details).toEqual({
      reason: 'limit_reached',
      limit: 'agents_per_org',
      max: 200,
    });
    const last = replies.find(({ status }) => status === 201);
    await archive(last?.json.data.id);
    expect((await create()).status).toBe(201);
    expect(reasonOf(await restore(last?.json.data.id))).toEqual([409, 'limit_reached']);
  });
});

describe('one namespace of names', () => {
  const taken = async (reply: ReturnType<typeof create>, slug: string) =>
    expect(expectError(await reply, 'CONFLICT')).toEqual({ reason: 'slug_taken', slug });

  it('409 slug_taken: models, MCP servers and agents, whoever comes second', async () => {
    for (const slug of ['model', 'recall', 'ada']) await taken(create({ slug }), slug);
    await register('tools');
    await taken(create({ slug: 'tools' }), 'tools');
    const { id } = await made({ slug: 'helper' });
    await taken(create({ slug: 'helper' }), 'helper');
    await taken(register('helper'), 'helper');
    for (const slug of ['model', 'recall', 'ada', 'tools']) await taken(patch(id, { slug }), slug);
    expect((await get(id)).json.data.slug).toBe('helper');
    // Another organisation has its own names.
    const other = await createTestOrg(stage.server.db);
    expect((await create({ slug: 'helper' }, other.owner)).status).toBe(201);
  });

  it('a renamed agent and a removed MCP server give their names back; an archived agent does not', async () => {
    const { id } = await made({ slug: 'first' });
    expect((await patch(id, { slug: 'second' })).json.data.slug).toBe('second');
    expect((await patch(id, { slug: 'second' })).status).toBe(200);
    const server = (await register('first')).json.data.id;
    await taken(patch(id, { slug: 'first' }), 'first');
    await stage.call('DELETE', `/api/mcp/servers/${server}`, org.owner);
    expect((await patch(id, { slug: 'first' })).status).toBe(200);
    await archive(id);
    await taken(create({ slug: 'first' }), 'first');
    await taken(register('first'), 'first');
  });

  it('a server that a process of an older version registered keeps its name', async () => {
    await register('older');
    await stage.server.db.query('DELETE FROM mention_names WHERE org_id = $1', [org.orgId]);
    await taken(create({ slug: 'older' }), 'older');
  });

  it('an agent and an MCP server with one name at once: one of them gets it', async () => {
    for (let round = 0; round < 5; round++) {
      const slug = `raced-${round}`;
      const replies = await Promise.all([create({ slug }), register(slug), create({ slug })]);
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        201, 409, 409,
      ]);
    }
  });
});

describe('GET /agents', () => {
  it('200: newest first, without archived ones and those bound to Projects the caller cannot see', async () => {
    const outsider = await addPerson(stage.server.db, org.orgId, 'MEMBER');
    const closed = await createProject('MEMBERS');
    await stage.call('PUT', `/api/projects/${closed}/members/${org.member.userId}`, org.owner);
    const open = await createProject();
    const gone = await made({ slug: 'gone' });
    await archive(gone.id);
    await made({ slug: 'everywhere' });
    const hidden = await made({ slug: 'hidden', projectIds: [closed], instructions: 'secret' });
    await made({ slug: 'both', projectIds: [closed, open] });
    await made({ slug: 'off', isEnabled: false });
    const all = ['off', 'both', 'hidden', 'everywhere'];
    for (const by of [org.owner, org.admin, org.member]) expect(await list(by)).toEqual(all);
    expect(await list(outsider)).toEqual(['off', 'both', 'everywhere']);
    // 404, whatever they try: nothing of it can be read.
    for (const reply of [
      await get(hidden.id, outsider),
      await patch(hidden.id, { name: 'x' }, outsider),
      await archive(hidden.id, outsider),
    ]) {
      expectError(reply, 'NOT_FOUND');
      expect(reply.text).not.toContain('secret');
    }
    expect((await get(gone.id, outsider)).json.data.archivedAt).toEqual(expect.any(String));
  });
});

describe('PATCH /agents/{id}', () => {
  it('200: only the given fields, null empties them, and an empty body changes nothing', async () => {
    const projectId = await createProject();
    const fields = { description: 'd', instructions: 'i', model: 'ada', tools: ['remember'] };
    const agent = await made({ ...fields, projectIds: [projectId] });
    expect((await patch(agent.id, {})).json.data).toEqual(agent);
    const changed = (await patch(agent.id, { name: 'New', instructions: 'other' })).json.data;
    expect(changed).toEqual({
      ...agent,
      name: 'New',
      instructions: 'other',
      updatedAt: expect.any(String),
    });
    const none = { description: null, instructions: null, model: null, tools: null };
    const emptied = (await patch(agent.id, { ...none, projectIds: null })).json.data;
    expect(emptied).toMatchObject({ ...none, instructions: '', tools: [], projectIds: [] });
    expect((await get(agent.id)).json.data).toEqual(emptied);
  });

  it('200: its creator, within their own Projects', async () => {
    const mine = await createProject('MEMBERS', org.member);
    const closed = await createProject('MEMBERS');
    const agent = await made({ projectIds: [mine] }, org.member);
    expect((await patch(agent.id, { name: 'Mine' }, org.member)).status).toBe(200);
    const wider = await patch(agent.id, { projectIds: [mine, closed] }, org.member);
    expect(expectError(wider, 'FORBIDDEN')).toEqual({ reason: 'not_project_member' });
    const all = await patch(agent.id, { projectIds: [] }, org.member);
    expect(expectError(all, 'FORBIDDEN')).toEqual({ reason: 'role' });
  });

  it('403 not_project_member: its creator, once they left one of its Projects, until they unbind that', async () => {
    const creator = await addPerson(stage.server.db, org.orgId, 'MEMBER');
    const { userId } = creator;
    const left = await createProject('MEMBERS');
    const member = `/api/projects/${left}/members/${userId}`;
    expect((await stage.call('PUT', member, org.owner)).status).toBeLessThan(300);
    const mine = await createProject('MEMBERS', creator);
    const agent = await made({ projectIds: [left, mine] }, creator);
    expect((await stage.call('DELETE', member, org.owner)).status).toBe(204);

    for (const reply of [
      await patch(agent.id, { instructions: 'Tell me everything.' }, creator),
      await patch(agent.id, { isEnabled: false }, creator),
      await patch(agent.id, { projectIds: [mine, left] }, creator),
      await archive(agent.id, creator),
    ]) {
      expect(expectError(reply, 'FORBIDDEN')).toEqual({ reason: 'not_project_member' });
    }
    expect((await get(agent.id)).json.data).toEqual(agent);
    expect((await patch(agent.id, {}, creator)).status).toBe(200);
    expect((await patch(agent.id, { name: 'Theirs' }, org.admin)).status).toBe(200);

    const own = await patch(agent.id, { projectIds: [mine], instructions: 'Mine.' }, creator);
    expect(own.json.data).toMatchObject({ projectIds: [mine], instructions: 'Mine.' });
    expect((await archive(agent.id, creator)).status).toBe(204);
  });

  it('403 role: its creator, once it answers in every Project', async () => {
    const mine = await createProject('MEMBERS', org.member);
    const agent = await made({ projectIds: [mine] }, org.member);
    expect((await patch(agent.id, { projectIds: [] }, org.admin)).status).toBe(200);
    for (const reply of [
      await patch(agent.id, { name: 'x' }, org.member),
      await archive(agent.id, org.member),
    ]) {
      expect(expectError(reply, 'FORBIDDEN')).toEqual({ reason: 'role' });
    }
  });

  it('403 role: a MEMBER who did not create it', async () => {
    const { id } = await made();
    for (const reply of [
      await patch(id, { name: 'x' }, org.member),
      await archive(id, org.member),
    ]) {
      expect(expectError(reply, 'FORBIDDEN')).toEqual({ reason: 'role' });
    }
  });

  it('404: unknown and malformed ids, and those of another organisation', async () => {
    const other = await createTestOrg(stage.server.db);
    const { id } = await made({}, other.owner);
    for (const each of [id, UNKNOWN, 'x']) expectError(await patch(each, {}), 'NOT_FOUND');
  });

  it('409 agent_archived', async () => {
    const { id } = await made();
    await archive(id);
    const details = expectError(await patch(id, { name: 'x' }), 'CONFLICT');
    expect(details).toEqual({ reason: 'agent_archived' });
  });

  it('leaves out MCP servers that were removed', async () => {
    const servers = [];
    for (const slug of ['one', 'two']) servers.push((await register(slug)).json.data.id);
    const { id } = await made({ mcpServerIds: servers });
    await stage.call('DELETE', `/api/mcp/servers/${servers[0]}`, org.owner);
    expect((await get(id)).json.data.mcpServerIds).toEqual([servers[1]]);
    expect((await patch(id, { name: 'x' })).json.data.mcpServerIds).toEqual([servers[1]]);
  });
});

describe('DELETE /agents/{id}', () => {
  it('204, and again 204 with the first archivedAt; each change is in the audit log once', async () => {
    const { id, slug } = await made();
    await patch(id, { name: 'Renamed' });
    expect((await archive(id)).status).toBe(204);
    const { archivedAt } = (await get(id)).json.data;
    expect((await archive(id)).status).toBe(204);
    expect((await get(id)).json.data.archivedAt).toBe(archivedAt);
    const audit = await stage.call('GET', `/api/org/${org.orgId}/audit`, org.owner);
    const items: { resourceId: string }[] = audit.json.data.items;
    expect(items.filter(({ resourceId }) => resourceId === id)).toMatchObject([
      { action: 'agent.archived', details: { slug } },
      { action: 'agent.updated', details: { slug, fields: ['name'] } },
      { action: 'agent.created', details: { slug }, actorUserId: org.owner.userId },
    ]);
  });
});

describe('POST /agents/{id}/restore', () => {
  it('200: archived ones are listed when asked for, the latest first, and only to who sees them', async () => {
    const fresh = await createTestOrg(stage.server.db);
    const projectId = await createProject('MEMBERS', fresh.owner);
    const fields = [{}, {}, { projectIds: [projectId] }];
    const [first, second, hidden] = await Promise.all(fields.map((one) => made(one, fresh.owner)));
    for (const { id } of [second, hidden, first]) await archive(id, fresh.owner);
    const archived = async (by = fresh.owner) => {
      const reply = await stage.call('GET', `${PATH}?archived=true`, by);
      return reply.json.data.items.map(({ id }: { id: string }) => id);
    };
    expect(await archived()).toEqual([first.id, hidden.id, second.id]);
    expect(await archived(fresh.member)).toEqual([first.id, second.id]);
    expect(await list(fresh.owner)).toEqual([]);
    await restore(hidden.id, fresh.owner);
    expect(await archived()).toEqual([first.id, second.id]);
    const wrong = await stage.call('GET', `${PATH}?archived=maybe`, fresh.owner);
    expect(problemsOf(wrong)).toEqual(['query.archived invalid_type']);
  });

  it('403 role, 404: only for those for whom archiving is', async () => {
    const open = await made();
    await archive(open.id);
    expect(reasonOf(await restore(open.id, org.member))).toEqual([403, 'role']);
    const { id } = await made({ projectIds: [await createProject('MEMBERS')] });
    await archive(id);
    expectError(await restore(id, org.member), 'NOT_FOUND');
    expectError(await restore(UNKNOWN), 'NOT_FOUND');
  });
});
