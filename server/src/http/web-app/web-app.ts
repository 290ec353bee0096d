import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WebFiles } from '../../web-app/files.ts';
import type { WebApp } from '../../web-app/web-app.ts';
import { sendFile } from '../output/send-file.ts';
import { BUILDING_PAGE, FAILED_PAGE, NOTICE_POLICY, RELOADING } from './web-app-notices.ts';

/** Serves the web app's files and pages; returns false for any other path. */
export type ServeWebApp = (
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
) => Promise<boolean>;

/** Paths of other parts of the server: an unknown path there is a 404, not a page. */
const NOT_PAGES = /^\/(api|web|docs|sandbox|assets|healthz|readyz|metrics|\.well-known)(\/|$)/;
/** Their links contain a token, which must not reach other pages. */
const TOKEN_PAGES = /^\/(sign-in|invite|confirm-email|undo-email)(\/|$)/;

/** No inline scripts or styles, and files from their own origin: code injected through a message does not run. */
function policyWith(filesOrigin: string | undefined): string {
  const files = filesOrigin === undefined ? '' : ` ${filesOrigin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data:${files}`,
    "font-src 'self'",
    `connect-src 'self'${files}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const PAGE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
};

/** Serves files by name, and index.html, which has its own router, for every page. */
export function createWebAppServer(webApp: WebApp, filesOrigin?: string): ServeWebApp {
  const policy = policyWith(filesOrigin);
  return async (request, reply, path) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const state = webApp.state();
    const files: WebFiles = state.kind === 'ready' ? state.files : new Map();
    const file = path === '/index.html' ? undefined : files.get(path);
    if (file) {
      await sendFile(request, reply, file, path.startsWith('/assets/'));
      return true;
    }
    if (path === RELOADING.path) {
      await reply.headers(notStored('text/javascript; charset=utf-8')).send(RELOADING.script);
      return true;
    }
    if (path.startsWith('/assets/')) {
      await reply.code(404).headers(notStored('text/plain; charset=utf-8')).send('Not found\n');
      return true;
    }
    if (!isPage(request, path)) return false;
    void reply.headers(PAGE_HEADERS);
    void reply.header('referrer-policy', TOKEN_PAGES.test(path) ? 'no-referrer' : 'same-origin');
    const page = files.get('/index.html');
    if (page) {
      void reply.header('content-security-policy', policy);
      await sendFile(request, reply, page, false);
      return true;
    }
    await reply
      .code(503)
      .headers({
        ...notStored('text/html; charset=utf-8'),
        'content-security-policy': NOTICE_POLICY,
        'retry-after': '2',
      })
      .send(state.kind === 'building' ? BUILDING_PAGE : FAILED_PAGE);
    return true;
  };
}

/** `/` is a page for everyone; other paths only for browsers, so that programs get a 404 for a typo. */
function isPage(request: FastifyRequest, path: string): boolean {
  if (NOT_PAGES.test(path)) return false;
  return path === '/' || (request.headers.accept ?? '').includes('text/html');
}

function notStored(type: string): Record<string, string> {
  return { 'content-type': type, 'cache-control': 'no-store' };
}
