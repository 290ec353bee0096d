import type { FastifyReply, FastifyRequest } from 'fastify';
import type {
  Dependencies,
  PersonActor,
  VisitorActor,
  WebContext,
  WebSettings,
} from '../core/context.ts';
import { networkOf } from './connections/client-network.ts';
import {
  cookieHeader,
  DEVICE_COOKIE,
  readCookie,
  SESSION_COOKIE,
  type Cookie,
} from './callers/cookies.ts';
import type { RateLimits } from './callers/rate-limit.ts';
import type { AnyContext, Route } from './route.ts';

const MAX_USER_AGENT = 400;

/** Routes with a cookie only, and without an org. All but a few are under `/web`. */
export function isWeb({ auth }: Route): boolean {
  return auth === 'web' || auth === 'browser' || auth === 'anyone';
}

interface WebParts {
  dependencies: Dependencies;
  rateLimits: RateLimits;
  webSettings: WebSettings;
}

/** Cookies are set only after the handler is done, so a failed request changes nothing. */
export function createWebParts(
  { dependencies, rateLimits, webSettings }: WebParts,
  request: FastifyRequest,
): { addTo: (ctx: AnyContext) => WebContext; sendCookie: (reply: FastifyReply) => void } {
  let kept: string | undefined;
  let device: string | undefined;
  return {
    addTo: (ctx) => ({
      ...ctx,
      actor: ctx.actor as PersonActor | VisitorActor,
      client: {
        network: networkOf(request.ip),
        userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT),
      },
      limiter: rateLimits.limiter,
      settings: webSettings,
      cookie: {
        set: (token) => void (kept = token),
        renew: () => void (kept = request.caller?.secret),
        clear: () => void (kept = ''),
      },
      device: {
        token: readCookie(request.raw, DEVICE_COOKIE),
        remember: (token) => void (device = token),
      },
    }),
    sendCookie(reply) {
      const publicUrl = dependencies.site.publicUrl();
      const set = (cookie: Cookie, value: string) =>
        void reply.header('Set-Cookie', cookieHeader(cookie, value, publicUrl));
      if (kept !== undefined) set(SESSION_COOKIE, kept);
      if (device !== undefined) set(DEVICE_COOKIE, device);
    },
  };
}
