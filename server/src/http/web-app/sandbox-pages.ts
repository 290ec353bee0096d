import type { FastifyInstance } from 'fastify';
import type { LazySandbox } from '../../adapters/payments/lazy-sandbox.ts';

/** The payments sandbox's pages for paying and for changing a plan. */
export function addSandboxPages(server: FastifyInstance, sandbox: LazySandbox): void {
  for (const name of ['checkout', 'portal'] as const) {
    server.route<{ Params: { id: string }; Body: Buffer | undefined }>({
      method: ['GET', 'POST'],
      url: `/sandbox/${name}/:id`,
      async handler({ method, params, body: sent }, reply) {
        const form = method === 'POST' ? String(sent ?? '') : undefined;
        const { status, headers, body } = await (await sandbox.get()).pages[name](params.id, form);
        return reply.code(status).headers(headers).send(body);
      },
    });
  }
}
