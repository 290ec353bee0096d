import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Config } from '../../config/config.ts';
import { namingVariable } from '../connections/listening.ts';

/** What is measured when somebody asks: a name, what it means, and what tells its values apart. */
export interface GaugeDefinition {
  name: string;
  help: string;
  labels?: readonly string[];
}

export interface Measurement {
  name: string;
  labels?: Record<string, string>;
  value: number;
}

export interface Measured {
  gauges: readonly GaugeDefinition[];
  measure: () => Promise<Measurement[]>;
}

export interface Metrics {
  /** Records one request by its route template, because a raw URL may contain a token. */
  observe(request: FastifyRequest, reply: FastifyReply): void;
  listen(port: number, host: string): Promise<Server>;
}

export function createMetrics({ gauges, measure }: Measured): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'atrium_http_request_duration_seconds',
    help: 'Request duration by route template, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });

  /** What could not be measured is missing, which an alert can notice. An old value would mislead. */
  async function measureNow(): Promise<string> {
    const found = Map.groupBy(await measure(), ({ name }) => name);
    const now = new Registry();
    for (const { name, help, labels = [] } of gauges) {
      const values = found.get(name);
      if (!values) continue;
      const gauge = new Gauge({ name, help, labelNames: labels, registers: [now] });
      for (const one of values) gauge.set(one.labels ?? {}, one.value);
    }
    return now.metrics();
  }

  async function sendMetrics(response: ServerResponse): Promise<void> {
    const texts = await Promise.all([registry.metrics(), measureNow()]);
    response.writeHead(200, { 'content-type': registry.contentType }).end(texts.join('\n'));
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

/** On its own port, if there is one for it. */
export async function serveMetrics(
  { metricsPort, host }: Pick<Config, 'metricsPort' | 'host'>,
  metrics: Metrics,
  log: Logger,
): Promise<Server | undefined> {
  if (metricsPort === undefined) return undefined;
  const server = await namingVariable('METRICS_PORT', metrics.listen(metricsPort, host));
  log.info({ port: (server.address() as AddressInfo).port }, 'serving metrics');
  return server;
}
