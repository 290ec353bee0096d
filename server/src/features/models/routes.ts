import { defineRoute, type Route } from '../../http/route.ts';
import { ModelList } from './schema.ts';

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
    status: 200,
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
          },
        ],
        total: 1,
      },
    },
    async handler({ models }) {
      const items = models
        .list()
        .map((model) => ({ ...model, isDefault: model.slug === models.defaultSlug }));
      return { items, total: items.length };
    },
  }),
];
