import type { FastifyInstance } from 'fastify';
import type { Clock } from '../context.ts';
import { successAnswer } from './envelope.ts';
import { sendAnswer } from './pipeline.ts';

export interface Webhook {
  path: string;
  /** Refusals come out as AppError. What it resolves to is done: the sender will not send it again. */
  receive: (
    body: Buffer,
    headers: Record<string, string | string[] | undefined>,
    requestId: string,
  ) => Promise<void>;
}

/** A call that another system makes by itself: its signature is the credential, and no limit applies. */
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
    return sendAnswer(reply, successAnswer(200, { received: true }, request.id, clock.now()));
  });
}
