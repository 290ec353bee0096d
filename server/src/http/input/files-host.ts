import type { FastifyInstance, FastifyRequest } from 'fastify';
import { nothingHere } from './unknown-path.ts';

export const CONTENT_PATH = '/content/:orgId/:fileId/:disposition/:expires/:signature/:name';

/** Whether it was sent to the origin that serves nothing but content of files. */
export function isFilesHost({ host }: FastifyRequest, filesOrigin: string | undefined): boolean {
  return filesOrigin !== undefined && host.toLowerCase() === new URL(filesOrigin).host;
}

/** Nothing of the API, of the web app and of its cookies is on that host. */
export function closeFilesHost(app: FastifyInstance, filesOrigin: string | undefined): void {
  if (filesOrigin === undefined) return;
  app.addHook('onRequest', async (request) => {
    if (!isFilesHost(request, filesOrigin)) return;
    if (request.is404 || request.routeOptions.url !== CONTENT_PATH) throw nothingHere();
  });
}
