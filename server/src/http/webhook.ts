import type { FastifyInstance } from 'fastify';
import type { Clock } from '../context.ts';
import { successResponse } from './envelope.ts';
import { sendResponse } from './pipeline.ts';

export interface Webhook {
  path: string;
  /** Throws an AppError to refuse. Once it resolves, the sender will not send the event again. */
  receive: (
    body: Buffer,
    headers: Record<string, string | string[] | undefined>,
    requestId: string,
  ) => Promise<void>;
}

/** A request from another system. Its signature is the credential, and no rate limit applies. */
export function addWebhook(
  server: FastifyInstance,
  { path, receive }: Webhook,
  clock: Clock,
): void {
  server.post(path, async (request, reply) => {
    await receive(
      (request.body as Buffer | undefined) ?? Buffer.alloc(0),
      request.headers,
      request.id,
    );
    return sendResponse(reply, successResponse(200, { received: true }, request.id, clock.now()));
  });
}
