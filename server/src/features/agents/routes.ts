import { defineRoute, type Route } from '../../http/route.ts';
import { presentList } from '../../lists/present.ts';
import { presentAgent } from './present.ts';
import { Agent, AgentList, AgentPath, CreateAgent, ListAgents, UpdateAgent } from './schema.ts';
import {
  archiveAgent,
  createAgent,
  getAgent,
  listAgents,
  restoreAgent,
  updateAgent,
} from './service.ts';

const definition = {
  slug: 'support',
  name: 'Support answers',
  description: 'Answers questions from customers, with sources.',
  instructions: 'Answer in three sentences at most. Cite the memories that you use.',
  model: 'gpt',
  tools: ['search_memory'],
  mcpServerIds: [],
  projectIds: ['cmf3k2v8q0001x5p7h9d4t6wz'],
  isEnabled: true,
};
const agentExample = {
  id: 'cmf3k2v8q000ax5p7h9d4t6wz',
  ...definition,
  createdById: 'cmf3k2v8q0003x5p7h9d4t6wz',
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
  archivedAt: null,
};

const common = { tag: 'Agents', extension: true, auth: 'user' } as const;
const read = { ...common, scope: 'agents:read', limit: 'read' } as const;
const write = { ...common, scope: 'agents:write', limit: 'write' } as const;

export const agentRoutes: Route[] = [
  defineRoute({
    ...read,
    operationId: 'listAgents',
    method: 'GET',
    path: '/agents',
    summary: 'List agents',
    description:
      'The agents that the caller can see, newest first: those that answer in every Project, or in one of theirs. `archived=true` lists those that were archived instead, the latest 200.',
    request: { query: ListAgents },
    response: AgentList,
    example: { response: { items: [agentExample], total: 1 } },
    handler: async (ctx, { query }) => presentList(await listAgents(ctx, query), presentAgent),
  }),
  defineRoute({
    ...write,
    operationId: 'createAgent',
    method: 'POST',
    path: '/agents',
    summary: 'Create an agent',
    description:
      'A MEMBER names the Projects it answers in, and must belong to them. Without `projectIds` it answers in every Project: OWNER and ADMIN only. If a model, an MCP server or another agent has the slug, archived agents included: 409 with the reason `slug_taken`. At most 200 per organisation.',
    request: { body: CreateAgent },
    mayReplay: async (ctx, _input, shown) => shown && getAgent(ctx, shown.id),
    status: 201,
    response: Agent,
    example: { request: definition, response: agentExample },
    handler: async (ctx, { body }) => presentAgent(await createAgent(ctx, body)),
  }),
  defineRoute({
    ...read,
    operationId: 'getAgent',
    method: 'GET',
    path: '/agents/{id}',
    summary: 'Get an agent',
    description: 'Archived or not.',
    request: { params: AgentPath },
    response: Agent,
    example: { response: agentExample },
    handler: async (ctx, { params }) => presentAgent(await getAgent(ctx, params.id)),
  }),
  defineRoute({
    ...write,
    operationId: 'updateAgent',
    method: 'PATCH',
    path: '/agents/{id}',
    summary: 'Update an agent',
    description:
      'For its creator, OWNERs and ADMINs. Only the given fields change. A former slug becomes free.',
    request: { params: AgentPath, body: UpdateAgent },
    response: Agent,
    example: {
      request: { isEnabled: false },
      response: { ...agentExample, isEnabled: false },
    },
    handler: async (ctx, { params, body }) => presentAgent(await updateAgent(ctx, params.id, body)),
  }),
  defineRoute({
    ...write,
    operationId: 'archiveAgent',
    method: 'DELETE',
    path: '/agents/{id}',
    summary: 'Archive an agent',
    description:
      'For its creator, OWNERs and ADMINs. It no longer answers. Its messages stay, and its slug stays taken, so it can be restored.',
    request: { params: AgentPath },
    status: 204,
    handler: (ctx, { params }) => archiveAgent(ctx, params.id),
  }),
  defineRoute({
    ...write,
    operationId: 'restoreAgent',
    method: 'POST',
    path: '/agents/{id}/restore',
    summary: 'Restore an agent',
    description:
      'Undoes an archive: the agent has its slug, its Projects and its tools as before, and answers if it is enabled. Restoring one that is not archived changes nothing. For its creator, OWNERs and ADMINs.',
    request: { params: AgentPath },
    mayReplay: (ctx, { params }) => getAgent(ctx, params.id),
    response: Agent,
    example: { response: agentExample },
    handler: async (ctx, { params }) => presentAgent(await restoreAgent(ctx, params.id)),
  }),
];
