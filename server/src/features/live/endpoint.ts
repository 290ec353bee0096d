import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PersonActor } from '../../core/context.ts';
import { PAGE_STATES, type PageState } from '../../core/presence.ts';
import { forbidden, invalid } from '../../core/errors.ts';
import { identifyByCookie, notSignedIn, type Caller } from '../../http/callers/auth.ts';
import type { PipelineParts } from '../../http/pipeline.ts';
import { takeSlotOf } from '../../http/callers/rate-limit.ts';
import { locationOf } from '../../http/input/validation.ts';
import type { EventStream } from './event-stream.ts';
import type { Live } from './service.ts';

const PATH = '/web/events';
/** Per minute and person. A page that reconnects more often is broken. */
const CONNECTS = 120;
/** The error names at most this many unknown parameters. */
const MAX_UNKNOWN = 100;
/** A stream that falls this far behind is closed; the page reconnects and resyncs. */
const MOST_UNREAD_BYTES = 256 * 1024;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Tells nginx not to buffer, which would delay the hints.
  'x-accel-buffering': 'no',
};

/** Server-sent hints for pages. The stream stays open, so this is not a regular route. */
export function addLiveEvents(app: FastifyInstance, parts: PipelineParts, live: Live): void {
  app.get(PATH, {
    async onRequest(request, reply) {
      const { org, problems } = readQuery(request);
      const caller = await identifyByCookie(request.raw, parts.authenticateCookie, org);
      if (!caller) throw notSignedIn();
      request.caller = caller;
      const bucket = `person:${(caller.actor as PersonActor).userId}:events`;
      const allowance = { bucket, limit: CONNECTS, kind: 'connect', who: 'You' };
      await takeSlotOf(parts.rateLimits.limiter, allowance, reply);
      requireOrg(caller);
      if (problems.length > 0) throw invalid(problems);
    },
    handler(request, reply) {
      return openStream(request, reply, live, { state: readQuery(request).state });
    },
  });
}

/** An EventSource cannot send headers, so the org may be in the query, and whether the person is there. */
function readQuery(request: FastifyRequest) {
  const { org, state = 'ACTIVE', ...rest } = request.query as Record<string, string | string[]>;
  const header = request.headers['atrium-org'] as string | undefined;
  const problems = Object.keys(rest)
    .slice(0, MAX_UNKNOWN)
    .map((name) => ({
      location: locationOf('query', [name]),
      code: 'unknown_field',
      message: 'is not a known parameter',
    }));
  if (!isPageState(state)) {
    const location = locationOf('query', ['state']);
    problems.push({ location, code: 'invalid_value', message: 'must be ACTIVE or AWAY' });
  }
  return {
    org: org === undefined ? header : String(org),
    state: isPageState(state) ? state : 'ACTIVE',
    problems,
  } as const;
}

function isPageState(value: unknown): value is PageState {
  return (PAGE_STATES as readonly unknown[]).includes(value);
}

function requireOrg({ orgId, isOutsider }: Caller): void {
  if (isOutsider) throw forbidden('wrong_org', 'You are not a member of this organisation.');
  if (orgId === null)
    throw forbidden('wrong_org', 'You are not in an organisation. Create or join one first.');
}

/** What `openSession` in the feature messages found. */
export function readRoom(about: unknown): NonNullable<EventStream['room']> {
  const { projectId, sessionId } = about as NonNullable<EventStream['room']>;
  return { projectId, sessionId };
}

/** Keeps the response open and writes the caller's events to it: those of one session, or of the whole org. */
export function openStream(
  request: FastifyRequest,
  reply: FastifyReply,
  live: Live,
  about: Pick<EventStream, 'room' | 'state'>,
): FastifyReply {
  const { actor, orgId } = request.caller as Caller;
  const { userId, webSessionId, keyId } = actor as PersonActor;
  const { raw: response } = reply;
  if (request.method === 'HEAD') return reply.headers(HEADERS).send();
  reply.hijack();
  response.writeHead(200, { ...reply.getHeaders(), ...HEADERS } as Record<string, string>);
  // A client that disconnects during a write is not an error.
  response.on('error', () => {});
  const leave = live.join({
    orgId: orgId ?? '',
    userId,
    credentialId: webSessionId ?? keyId ?? '',
    ...about,
    write(text) {
      if (response.writableEnded || response.destroyed) return;
      // Checked first: the replies under way can be long, and come all at once.
      if (response.writableLength > MOST_UNREAD_BYTES) response.destroy();
      else response.write(text);
    },
    end: () => void response.end(),
  });
  response.on('close', leave);
  return reply;
}
