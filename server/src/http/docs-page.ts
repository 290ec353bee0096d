import Fastify, { type FastifyInstance } from 'fastify';

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

/** No fonts, telemetry or proxies of others: the page asks this server only. */
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

/** The browser holds the page to its promise, whatever the viewer's code would like to do. */
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
  const serveText = (path: string, type: string, content: () => string | Promise<string>) =>
    app.get(path, async (_request, reply) =>
      reply
        .headers({
          'content-type': `${type}; charset=utf-8`,
          'content-security-policy': POLICY,
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
          'cache-control': 'private, max-age=3600',
        })
        .send(await content()),
    );
  serveText('/docs', 'text/html', () => PAGE);
  serveText('/docs/start.js', 'text/javascript', () => START);
  let viewer: Promise<string> | undefined;
  serveText('/docs/scalar.js', 'text/javascript', async () => {
    viewer ??= loadViewer();
    try {
      return await viewer;
    } catch (error) {
      viewer = undefined;
      throw error;
    }
  });
}

/**
 * The package offers its browser bundle only through a Fastify plugin and takes half a second to
 * load, so it is loaded when somebody first opens the page, into an instance of its own.
 */
async function loadViewer(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const holder = Fastify();
  await holder.register(plugin, { routePrefix: '/viewer', configuration: { content: {} } });
  const response = await holder.inject('/viewer/js/scalar.js');
  await holder.close();
  if (response.statusCode !== 200) throw new Error('the API reference viewer was not found');
  return response.body;
}
