import type { FastifyInstance } from 'fastify';
import type { LazySandbox } from '../../adapters/payments/lazy-sandbox.ts';

/** The payments sandbox's pages for paying and for changing a plan. */
export function addSandboxPages(server: FastifyInstance, sandbox: LazySandbox): void {
  for (const name of ['checkout', 'portal'] as const) {
    const serve = async (id: string, form?: string) => (await sandbox.get()).pages[name](id, form);
    const path = `/sandbox/${name}/:id`;
    server.get<{ Params: { id: string } }>(path, async (request, reply) => {
      const { status, headers, body } = await serve(request.params.id);
      return reply.code(status).headers(headers).send(body);
    });
    server.post<{ Params: { id: string } }>(path, async (request, reply) => {
      const form = String((request.body as Buffer | undefined) ?? '');
      const { status, headers, body } = await serve(request.params.id, form);
      return reply.code(status).headers(headers).send(body);
    });
  }
}
