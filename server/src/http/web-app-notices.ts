/** Stands for the web app while there is none: plain pages. */
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
    <p>The API works meanwhile: see its <a href="/docs">reference</a>.</p>
  </body>
</html>
`;
}

/**
 * The link of the first start has its token behind a `#`, and for such an address a browser takes a
 * refresh for a move within the page: only a script loads it anew.
 */
export const RELOADING = {
  path: '/being-built.js',
  script: 'setTimeout(() => location.reload(), 2_000);\n',
};

export const BUILDING_PAGE = notice(
  'Atrium is being built',
  'The web app is built once, at the first start. That takes some ten seconds; this page then shows it.',
  `<script src="${RELOADING.path}"></script>
    <noscript><meta http-equiv="refresh" content="2" /></noscript>
    `,
);

export const FAILED_PAGE = notice(
  'The web app could not be built',
  "The server's log says why. Mend it, then start the server again: it builds the app anew.",
);

export const NOTICE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
