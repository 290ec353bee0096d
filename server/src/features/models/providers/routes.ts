import { defineRoute, type Route } from '../../../http/route.ts';
import { presentList } from '../../../lists/present.ts';
import { presentProvider } from './present.ts';
import {
  CreateModelProvider,
  ModelProvider,
  ModelProviderList,
  ModelProviderPath,
  ModelProviderTest,
  OfferedModels,
  TestModelProvider,
  UpdateModelProvider,
} from './schema.ts';
import {
  checkAddress,
  checkUpdate,
  createProvider,
  listOffered,
  listProviders,
  recordTest,
  removeProvider,
  testProvider,
  updateProvider,
} from './service.ts';

const modelExample = {
  slug: 'sonnet',
  model: 'claude-sonnet-5-5',
  creditsPerMillionTokens: { input: 300, output: 1500 },
  vision: true,
};

const providerExample = {
  id: 'cmf3k2v8q0012x5p7h9d4t6wz',
  name: 'Anthropic',
  kind: 'anthropic',
  baseUrl: 'https://api.anthropic.com/v1',
  hasKey: true,
  isEnabled: true,
  models: [{ ...modelExample, isOverridden: false }],
  lastTestedAt: null,
  lastError: null,
  createdAt: '2026-11-18T09:30:00.000Z',
  updatedAt: '2026-11-18T09:30:00.000Z',
};

const shared = { tag: 'Models', auth: 'user', extension: true, roles: ['OWNER'] } as const;
const read = { ...shared, scope: 'org:read', limit: 'read' } as const;
const write = { ...shared, scope: 'org:write', limit: 'write' } as const;

export const modelProviderRoutes: Route[] = [
  defineRoute({
    ...read,
    operationId: 'listModelProviders',
    method: 'GET',
    path: '/model-providers',
    summary: 'List model providers',
    description:
      "The providers that OWNERs added, oldest first. Keys are never returned. What the operator configured is not among them: `GET /models` lists its models with `origin: server`, and they can't be changed here.",
    response: ModelProviderList,
    example: { response: { items: [providerExample], total: 1 } },
    handler: async (ctx) => presentList(await listProviders(ctx), presentProvider),
  }),
  defineRoute({
    ...write,
    operationId: 'createModelProvider',
    method: 'POST',
    path: '/model-providers',
    summary: 'Add a model provider',
    description:
      'Its models answer at once. The address must use HTTPS and be public, unless the operator allows it with `MODEL_ALLOW_HOSTS`. It is checked now and on every call. If a model, an agent, an MCP server or a person has one of the slugs: 409 with the reason `slug_taken`.',
    request: { body: CreateModelProvider },
    mayReplay: 'always',
    status: 201,
    response: ModelProvider,
    example: {
      request: {
        kind: 'anthropic',
        name: 'Anthropic',
        apiKey: 'a-key-of-that-provider',
        models: [modelExample],
      },
      response: providerExample,
    },
    prepare: (ctx, { body }) => checkAddress(ctx, body.kind, body.baseUrl),
    handler: async (ctx, { body }, checked) =>
      presentProvider(await createProvider(ctx, body, checked)),
  }),
  defineRoute({
    ...write,
    operationId: 'updateModelProvider',
    method: 'PATCH',
    path: '/model-providers/{id}',
    summary: 'Change a model provider',
    description:
      'Replies that start from now on use it. With `isEnabled: false`, its models no longer answer and keep their names. An address on another host needs the key again.',
    request: { params: ModelProviderPath, body: UpdateModelProvider },
    response: ModelProvider,
    example: {
      request: { models: [modelExample] },
      response: providerExample,
    },
    prepare: (ctx, { params, body }) => checkUpdate(ctx, params.id, body),
    handler: async (ctx, { params, body }, checked) =>
      presentProvider(await updateProvider(ctx, params.id, body, checked)),
  }),
  defineRoute({
    ...write,
    operationId: 'deleteModelProvider',
    method: 'DELETE',
    path: '/model-providers/{id}',
    summary: 'Remove a model provider',
    description:
      'Its key is deleted too, and the names of its models are free. Agents and sessions that use them answer FAILED with `model_unknown` until another model is chosen.',
    request: { params: ModelProviderPath },
    status: 204,
    handler: (ctx, { params }) => removeProvider(ctx, params.id),
  }),
  defineRoute({
    ...write,
    operationId: 'testModelProvider',
    method: 'POST',
    path: '/model-providers/{id}/test',
    summary: 'Test a model provider',
    description:
      "Asks one of its models to say hello, and returns its answer or what went wrong, with the provider's own words, within 30 seconds. It costs no credits.",
    request: { params: ModelProviderPath, body: TestModelProvider },
    mayReplay: 'always',
    response: ModelProviderTest,
    example: {
      request: { model: 'claude-sonnet-5-5' },
      response: {
        ok: true,
        model: 'claude-sonnet-5-5',
        answer: 'Hello, team!',
        offeredModels: null,
        latencyMs: 640,
      },
    },
    callOut: (ctx, { params, body }) => testProvider(ctx, params.id, body.model),
    async handler(ctx, { params }, result) {
      await recordTest(ctx, params.id, result);
      return result;
    },
  }),
  defineRoute({
    ...read,
    operationId: 'listOfferedModels',
    method: 'GET',
    path: '/model-providers/{id}/models',
    summary: 'List the models that a provider offers',
    description:
      'Asks the provider, within 8 seconds, and returns up to 1,000. If it cannot be asked, `error` says why.',
    request: { params: ModelProviderPath },
    response: OfferedModels,
    example: {
      response: {
        models: [{ model: 'claude-sonnet-5-5', displayName: 'Claude Sonnet 5.5', vision: true }],
        error: null,
      },
    },
    handler: (ctx, { params }) => listOffered(ctx, params.id),
  }),
];
