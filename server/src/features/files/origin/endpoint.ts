import type { FastifyInstance } from 'fastify';
import { notFound } from '../../../core/errors.ts';
import { CONTENT_PATH, isFilesHost } from '../../../http/input/files-host.ts';
import { sendContent } from '../../../http/output/send-content.ts';
import type { PipelineParts } from '../../../http/pipeline.ts';
import type { ContentAddress } from './address.ts';
import { openAddress } from './service.ts';

type Params = ContentAddress & { signature: string };

/** Content of files on an origin of its own: what a browser might run there finds no session and no page. */
export function addFilesOrigin(app: FastifyInstance, parts: PipelineParts): void {
  const { site } = parts.dependencies;
  app.get(CONTENT_PATH, { exposeHeadRoute: true }, async (request, reply) => {
    if (!isFilesHost(request, site.filesOrigin)) throw notFound('This address');
    const { signature, ...address } = request.params as Params;
    const { db, clock, log, dependencies } = parts;
    const content = await openAddress({ ...dependencies, db, clock, log }, address, signature);
    void reply.headers({
      // Pages of the main origin show it.
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': site.publicUrl(),
      'access-control-expose-headers': 'ETag, Accept-Ranges, Content-Range, Content-Disposition',
    });
    return sendContent(request, reply, content, {
      now: parts.clock.now(),
      check: async () => {},
      log: parts.log.child({ requestId: request.id }),
    });
  });
}
