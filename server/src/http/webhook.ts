import type { FastifyInstance } from 'fastify';
import type { Clock } from '../context.ts';
import { successResponse } from './envelope.ts';
import { sendResponse } from './pipeline.ts';

export interface Webhook {
  path: string;
  /**
   * Throws an AppError to refuse. Once it resolves, the sender will not send the event again. A text is sent
   * back as it is, for a sender that tests the address.
   */
  receive: (
    body: Buffer,
    headers: Record<string, string | string[] | undefined>,
    requestId: string,
    params: Record<string, string>,
  ) => Promise<string | void>;
}

/** A request from another system. Its signature, or that of its link, is the credential; no limit applies. */
export function addWebhook(
  server: FastifyInstance,
  { path, receive }: Webhook,
  clock: Clock,
): void {
  server.post(path, async (request, reply) => {
    const answer = await receive(
      (request.body as Buffer | undefined) ?? Buffer.alloc(0),
      request.headers,
      request.id,
      request.params as Record<string, string>,
    );
    if (typeof answer === 'string') return reply.type('text/plain; charset=utf-8').send(answer);
    const response = await successResponse(200, { received: true }, request.id, clock.now());
    return sendResponse(reply, response);
  });
}
