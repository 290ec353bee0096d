import { createServer, type Server, type ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export interface Metrics {
  /** Records one request by its route template, because a raw URL may contain a token. */
  observe(request: FastifyRequest, reply: FastifyReply): void;
  listen(port: number, host: string): Promise<Server>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'atrium_http_request_duration_seconds',
    help: 'Request duration by route template, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });

  async function sendMetrics(response: ServerResponse): Promise<void> {
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
  }

  return {
    observe(request, reply) {
      const route = request.routeOptions.url ?? 'unknown';
      duration.observe(
        { route, method: request.method, status: reply.statusCode },
        reply.elapsedTime / 1000,
      );
    },
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        const server = createServer((request, response) => {
          if (request.url === '/metrics') void sendMetrics(response);
          else response.writeHead(404).end();
        });
        server.once('error', reject);
        server.listen(port, host, () => resolve(server));
      }),
  };
}
