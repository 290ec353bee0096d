import { once as nextEvent } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import { etagOf, type WebFile } from '../../web-app/files.ts';
import type { Viewer } from './docs-viewer.ts';
import { once } from '../../core/once.ts';
import { sendFile } from '../output/send-file.ts';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" href="data:," />
    <title>Atrium API reference</title>
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs JavaScript. The document itself is at /api/openapi.json.</noscript>
    <script src="/docs/scalar.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** No third-party fonts, telemetry or proxies: the page calls this server only. */
const START = `Scalar.createApiReference('#reference', {
  url: '/api/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
});
`;

/** Makes the browser enforce that, whatever the viewer's code does. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function addDocsPage(app: FastifyInstance): void {
  const serve = (path: string, file: () => WebFile | Promise<WebFile>) =>
    app.get(path, async (request, reply) => {
      void reply.header('content-security-policy', POLICY);
      await sendFile(request, reply, await file(), false);
      return reply;
    });
  const page = textFile('text/html', PAGE);
  const start = textFile('text/javascript', START);
  serve('/docs', () => page);
  serve('/docs/start.js', () => start);
  serve('/docs/scalar.js', once(loadViewer));
}

function textFile(type: string, text: string): WebFile {
  const identity = Buffer.from(text);
  return fileOf(type, { identity, br: undefined, gzip: undefined });
}

function fileOf(type: string, copies: Pick<WebFile, 'identity' | 'br' | 'gzip'>): WebFile {
  return { type: `${type}; charset=utf-8`, etag: etagOf(copies.identity), ...copies };
}

/** Runs when the page is first opened, in a thread: loading and compressing take a second. */
async function loadViewer(): Promise<WebFile> {
  const worker = new Worker(new URL('docs-viewer.ts', import.meta.url));
  try {
    const [{ identity, br, gzip }] = (await nextEvent(worker, 'message')) as [Viewer];
    return fileOf('text/javascript', {
      identity: Buffer.from(identity),
      br: Buffer.from(br),
      gzip: Buffer.from(gzip),
    });
  } finally {
    await worker.terminate();
  }
}
