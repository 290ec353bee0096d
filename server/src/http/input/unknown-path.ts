import type { FastifyInstance } from 'fastify';
import { AppError } from '../../core/errors.ts';
import { errorResponse } from '../output/envelope.ts';
import { sendResponse, type PipelineParts } from '../pipeline.ts';
import type { ServeWebApp } from '../web-app/web-app.ts';

interface Template {
  methods: string[];
  pattern: RegExp;
}

/**
 * Sends 404 for unknown paths, with `Allow` if the path exists for another method. No key is needed. A
 * path without a route may belong to the web app, whose files and pages are not known in advance.
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
  // A hook, because a not-found handler would run after the body is read.
  app.addHook('onRequest', async (request, reply) => {
    // The router matches `/projects/` as `/projects/{projectId}` with an empty id.
    const isUnknown = request.is404 || Object.values(request.params as object).includes('');
    if (!isUnknown) return;
    const path = request.url.split('?', 1)[0] ?? '';
    const known = templates.filter(({ pattern }) => pattern.test(path));
    const methods = new Set(known.flatMap((template) => template.methods));
    if (methods.size === 0 && (await serveWebApp?.(request, reply, path))) return;
    if (methods.size > 0) void reply.header('Allow', [...methods].toSorted().join(', '));
    await sendResponse(reply, errorResponse(nothingHere(), request.id, parts.clock.now()));
  });
}

export function nothingHere(): AppError {
  return new AppError('NOT_FOUND', 'Nothing exists at this path, or not for this method.');
}

function pathPattern(url: string): RegExp {
  const source = url
    .replaceAll(/[.*+?^$()|[\]\\{}]/g, String.raw`\$&`)
    .replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${source}$`);
}
