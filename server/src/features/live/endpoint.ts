import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PersonActor } from '../../context.ts';
import { forbidden, invalid } from '../../errors.ts';
import { identifyByCookie, notSignedIn, type Caller } from '../../http/auth.ts';
import type { PipelineParts } from '../../http/pipeline.ts';
import { takeSlotOf } from '../../http/rate-limit.ts';
import { locationOf } from '../../http/validation.ts';
import type { Live } from './service.ts';

const PATH = '/web/events';
/** A minute and person: a page that connects over and over again is broken. */
const CONNECTS = 120;
/** Of the parameters that there are not, so many are named. */
const MAX_UNKNOWN = 100;
/** Whoever reads so slowly starts again, with a resync. */
const MOST_UNREAD_BYTES = 64 * 1024;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // A proxy that gathers before it passes on would make the hints late; nginx heeds this.
  'x-accel-buffering': 'no',
};

/** Server-sent hints for pages: a stream that stays open, so not one of the routes that answer once. */
export function addLiveEvents(app: FastifyInstance, parts: PipelineParts, live: Live): void {
  app.get(PATH, {
    async onRequest(request, reply) {
      const { org, unknown } = readQuery(request);
      const caller = await identifyByCookie(request.raw, parts.authenticateCookie, org);
      if (!caller) throw notSignedIn();
      request.caller = caller;
      const bucket = `person:${(caller.actor as PersonActor).userId}:events`;
      const allowance = { bucket, limit: CONNECTS, kind: 'connect', who: 'You' };
      await takeSlotOf(parts.rateLimits.limiter, allowance, reply);
      requireOrg(caller);
      if (unknown.length > 0) throw invalid(unknown);
    },
    handler(request, reply) {
      if (request.method === 'HEAD') return reply.headers(HEADERS).send();
      openStream(request, reply, live);
      return reply;
    },
  });
}

/** An EventSource cannot send headers, so the org may be in the query. */
function readQuery(request: FastifyRequest) {
  const { org, ...rest } = request.query as Record<string, string | string[]>;
  const header = request.headers['atrium-org'] as string | undefined;
  const unknown = Object.keys(rest)
    .slice(0, MAX_UNKNOWN)
    .map((name) => ({
      location: locationOf('query', [name]),
      code: 'unknown_field',
      message: 'there is no such parameter',
    }));
  return { org: org === undefined ? header : String(org), unknown };
}

function requireOrg({ orgId, isOutsider }: Caller): void {
  if (isOutsider) throw forbidden('wrong_org', 'You are no member of the org that is named.');
  if (orgId === null) throw forbidden('wrong_org', 'You are in no org: make one, or join one.');
}

function openStream(request: FastifyRequest, reply: FastifyReply, live: Live): void {
  const { actor, orgId } = request.caller as Caller;
  const { userId, webSessionId } = actor as PersonActor;
  const { raw: response } = reply;
  reply.hijack();
  response.writeHead(200, { ...reply.getHeaders(), ...HEADERS } as Record<string, string>);
  // A client that goes away in the middle of a write is no failure of ours.
  response.on('error', () => {});
  const leave = live.join({
    orgId: orgId ?? '',
    userId,
    webSessionId: webSessionId ?? '',
    write(text) {
      if (response.writableEnded || response.destroyed) return;
      response.write(text);
      if (response.writableLength > MOST_UNREAD_BYTES) response.destroy();
    },
    end: () => void response.end(),
  });
  response.on('close', leave);
}
