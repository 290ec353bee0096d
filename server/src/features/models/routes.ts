import { defineRoute, type Route } from '../../http/route.ts';
import { ModelList } from './schema.ts';
import { listModels, type ModelResult } from './service.ts';

export const modelRoutes: Route[] = [
  defineRoute({
    operationId: 'listModels',
    tag: 'Models',
    method: 'GET',
    path: '/models',
    summary: 'List models',
    description:
      'The models that answer when they are mentioned. `recall`, which quotes the session and its memory, is always available.',
    extension: true,
    auth: 'user',
    scope: 'sessions:read',
    limit: 'read',
    request: {},
    response: ModelList,
    example: {
      response: {
        items: [
          {
            slug: 'recall',
            provider: 'builtin',
            model: null,
            creditsPer1kTokens: 0,
            isDefault: true,
            lastResult: null,
          },
        ],
        total: 1,
      },
    },
    async handler(ctx) {
      const models = await listModels(ctx);
      const items = models.map(({ lastResult, ...model }) => ({
        ...model,
        lastResult: lastResult ? presentResult(lastResult) : null,
      }));
      return { items, total: items.length };
    },
  }),
];

function presentResult({ status, error, at }: ModelResult) {
  return { status, error, at: at.toISOString() };
}
