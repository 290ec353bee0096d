import { defineRoute, type Route } from '../../http/route.ts';
import { presentAgent } from './present.ts';
import { Agent, AgentList, AgentPath, CreateAgent, UpdateAgent } from './schema.ts';
import { archiveAgent, createAgent, getAgent, listAgents, updateAgent } from './service.ts';

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

export const agentRoutes: Route[] = [
  defineRoute({
    operationId: 'listAgents',
    tag: 'Agents',
    method: 'GET',
    path: '/agents',
    summary: 'List agents',
    description:
      'The agents that the caller can see, newest first: those that answer in every Project, or in one of theirs. Archived agents are left out.',
    extension: true,
    auth: 'user',
    scope: 'agents:read',
    limit: 'read',
    request: {},
    status: 200,
    response: AgentList,
    example: { response: { items: [agentExample], total: 1 } },
    async handler(ctx) {
      const agents = await listAgents(ctx);
      return { items: agents.map(presentAgent), total: agents.length };
    },
  }),
  defineRoute({
    operationId: 'createAgent',
    tag: 'Agents',
    method: 'POST',
    path: '/agents',
    summary: 'Create an agent',
    description:
      'A MEMBER names the Projects it answers in, and must belong to them. Without `projectIds` it answers in every Project: OWNER and ADMIN only. If a model, an MCP server or another agent has the slug, archived agents included: 409 with the reason `slug_taken`. At most 200 per organisation.',
    extension: true,
    auth: 'user',
    scope: 'agents:write',
    limit: 'write',
    request: { body: CreateAgent },
    mayReplay: async (ctx, _input, shown) => shown && getAgent(ctx, shown.id),
    status: 201,
    response: Agent,
    example: { request: definition, response: agentExample },
    handler: async (ctx, { body }) => presentAgent(await createAgent(ctx, body)),
  }),
  defineRoute({
    operationId: 'getAgent',
    tag: 'Agents',
    method: 'GET',
    path: '/agents/{id}',
    summary: 'Get an agent',
    description: 'Archived or not.',
    extension: true,
    auth: 'user',
    scope: 'agents:read',
    limit: 'read',
    request: { params: AgentPath },
    status: 200,
    response: Agent,
    example: { response: agentExample },
    handler: async (ctx, { params }) => presentAgent(await getAgent(ctx, params.id)),
  }),
  defineRoute({
    operationId: 'updateAgent',
    tag: 'Agents',
    method: 'PATCH',
    path: '/agents/{id}',
    summary: 'Update an agent',
    description:
      'For its creator, OWNERs and ADMINs. Only the given fields change. A former slug becomes free.',
    extension: true,
    auth: 'user',
    scope: 'agents:write',
    limit: 'write',
    request: { params: AgentPath, body: UpdateAgent },
    status: 200,
    response: Agent,
    example: {
      request: { isEnabled: false },
      response: { ...agentExample, isEnabled: false },
    },
    handler: async (ctx, { params, body }) => presentAgent(await updateAgent(ctx, params.id, body)),
  }),
  defineRoute({
    operationId: 'archiveAgent',
    tag: 'Agents',
    method: 'DELETE',
    path: '/agents/{id}',
    summary: 'Archive an agent',
    description:
      'For its creator, OWNERs and ADMINs. It no longer answers. Its messages stay, and its slug stays taken.',
    extension: true,
    auth: 'user',
    scope: 'agents:write',
    limit: 'write',
    request: { params: AgentPath },
    status: 204,
    handler: (ctx, { params }) => archiveAgent(ctx, params.id),
  }),
];
