/** A plain page that is shown while there is no web app. */
function notice(title: string, text: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    ${head}<link rel="icon" href="data:," />
    <title>${title}</title>
  </head>
  <body>
    <h1>${title}</h1>
    <p>${text}</p>
    <p>The API is available: see the <a href="/docs">API reference</a>.</p>
  </body>
</html>
`;
}

/**
 * The first start's sign-in link has its token after a `#`. A browser treats a refresh of such an address as
 * a jump within the page, so only a script can reload it.
 */
export const RELOADING = {
  path: '/being-built.js',
  script: 'setTimeout(() => location.reload(), 2_000);\n',
};

export const BUILDING_PAGE = notice(
  'Building Atrium',
  'The web app is built on first startup. This takes about ten seconds, then this page reloads.',
  `<script src="${RELOADING.path}"></script>
    <noscript><meta http-equiv="refresh" content="2" /></noscript>
    `,
);

export const FAILED_PAGE = notice(
  'The web app could not be built',
  "The server's log says why. Fix it and restart; the app is rebuilt on startup.",
);

export const NOTICE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
