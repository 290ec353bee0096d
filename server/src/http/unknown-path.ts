import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';
import { errorAnswer } from './envelope.ts';
import { sendAnswer, type PipelineParts } from './pipeline.ts';
import type { ServeWebApp } from './web-app.ts';

interface Template {
  methods: string[];
  pattern: RegExp;
}

/**
 * 404 for what is at no path, and with `Allow` for what is there with another method. No key is asked
 * for. What no route has may be the web app's, whose own files and pages are not known beforehand.
 */
export function answerUnknownPaths(
  app: FastifyInstance,
  parts: PipelineParts,
  serveWebApp?: ServeWebApp,
): void {
  const templates: Template[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    templates.push({ methods: [method].flat(), pattern: pathPattern(url) });
  });
  // A hook and not a not-found handler: that one would come after the body.
  app.addHook('onRequest', async (request, reply) => {
    // The router takes `/projects/` for `/projects/{projectId}` with an empty id.
    const isUnknown = request.is404 || Object.values(request.params as object).includes('');
    if (!isUnknown) return;
    const path = request.url.split('?', 1)[0] ?? '';
    const known = templates.filter(({ pattern }) => pattern.test(path));
    const methods = new Set(known.flatMap((template) => template.methods));
    if (methods.size === 0 && (await serveWebApp?.(request, reply, path))) return;
    if (methods.size > 0) void reply.header('Allow', [...methods].toSorted().join(', '));
    await sendAnswer(reply, errorAnswer(nothingHere(), request.id, parts.clock.now()));
  });
}

export function nothingHere(): AppError {
  return new AppError('NOT_FOUND', 'There is nothing at this path, or not with this method.');
}

function pathPattern(url: string): RegExp {
  const source = url
    .replaceAll(/[.*+?^$()|[\]\\{}]/g, String.raw`\$&`)
    .replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${source}$`);
}
