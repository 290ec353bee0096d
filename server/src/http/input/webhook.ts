import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RateLimiter } from '../../adapters/rate-limiter/limiter.ts';
import type { Clock } from '../../core/context.ts';
import { networkOf } from '../connections/client-network.ts';
import { successResponse } from '../output/envelope.ts';
import { sendResponse } from '../pipeline.ts';
import { takeSlotOf } from '../callers/rate-limit.ts';

export interface Webhook {
  path: string;
  /** If set, a client has only so many refused requests within a minute. More are not even read. */
  limiter?: RateLimiter;
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

/** Far more than a system whose signatures are right ever needs. */
const MOST_REFUSED = 300;

/**
 * A request from another system. Its signature, or that of its link, is the credential, so what is accepted
 * has no limit. A slot is taken before anything is read, and given back once the request is accepted.
 */
export function addWebhook(
  server: FastifyInstance,
  clock: Clock,
  { path, limiter, receive }: Webhook,
): void {
  const bucketOf = ({ ip }: FastifyRequest) => `webhook:${networkOf(ip)}`;
  const onRequest = limiter && [
    async (request: FastifyRequest) => {
      const bucket = bucketOf(request);
      const kind = 'refused webhook request';
      await takeSlotOf(limiter, { bucket, limit: MOST_REFUSED, kind, who: 'This client' });
    },
  ];
  server.post(path, { ...(onRequest && { onRequest }) }, async (request, reply) => {
    const answer = await receive(
      (request.body as Buffer | undefined) ?? Buffer.alloc(0),
      request.headers,
      request.id,
      request.params as Record<string, string>,
    );
    await limiter?.giveBack(bucketOf(request));
    if (typeof answer === 'string') return reply.type('text/plain; charset=utf-8').send(answer);
    const response = await successResponse(200, { received: true }, request.id, clock.now());
    return sendResponse(reply, response);
  });
}
