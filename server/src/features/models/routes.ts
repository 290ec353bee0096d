import { defineRoute, type Route } from '../../http/route.ts';
import { modelProviderRoutes } from './providers/routes.ts';
import { ModelList } from './schema.ts';
import { listModels, type ModelResult } from './service.ts';

export const modelRoutes: Route[] = [
  ...modelProviderRoutes,
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
    response: ModelList,
    example: {
      response: {
        items: [
          {
            slug: 'recall',
            provider: 'builtin',
            model: null,
            creditsPer1kTokens: 0,
            creditsPerMillionTokens: { input: 0, output: 0 },
            origin: 'builtin',
            isDefault: true,
            lastResult: null,
          },
        ],
        total: 1,
      },
    },
    async handler(ctx) {
      const models = await listModels(ctx);
      const items = models.map(({ lastResult, creditsPerMillion, vision: _vision, ...model }) => ({
        ...model,
        creditsPerMillionTokens: creditsPerMillion ?? onePrice(model.creditsPer1kTokens),
        lastResult: lastResult ? presentResult(lastResult) : null,
      }));
      return { items, total: items.length };
    },
  }),
];

/** Without the noise of a fraction in binary. */
function onePrice(creditsPer1kTokens: number) {
  const credits = Number((1000 * creditsPer1kTokens).toPrecision(12));
  return { input: credits, output: credits };
}

function presentResult({ status, error, at }: ModelResult) {
  return { status, error, at: at.toISOString() };
}
