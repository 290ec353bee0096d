import type { FastifyInstance } from 'fastify';

export interface Probes {
  isReady(): Promise<boolean>;
  isDraining(): boolean;
}

/** Probes and OpenAPI documents, served without a key and without the envelope. */
export function addOperations(
  app: FastifyInstance,
  probes: Probes,
  documents: Record<string, () => unknown>,
): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    if (probes.isDraining()) return reply.code(503).send({ status: 'draining' });
    const ready = await probes.isReady().catch(() => false);
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'database not ready' });
  });
  for (const [path, build] of Object.entries(documents)) {
    let text: string | undefined;
    app.get(path, async (_request, reply) =>
      reply
        .header('content-type', 'application/json; charset=utf-8')
        .send((text ??= JSON.stringify(build()))),
    );
  }
}
