import { createHash } from 'node:crypto';
import { isWebUrl } from '../api/params.ts';
import { html, type Markup } from './html.ts';

export interface PageResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const STYLE = `
:root { color-scheme: light dark; --page: light-dark(#f3f4f6, #16181d); --card: light-dark(#fff, #22252c);
  --line: light-dark(#d9dde5, #3d424d); --strong: light-dark(#14171d, #f3f4f6);
  --plain: light-dark(#3a414d, #d1d5db); --faint: light-dark(#5b6472, #a2a9b5);
  --accent: light-dark(#2f5bea, #5b80f2); --on-accent: light-dark(#fff, #0d1017);
  --link: light-dark(#2149c9, #9db7ff); --note: light-dark(#fff4d6, #3a2f12);
  --note-text: light-dark(#5c4300, #ffe2a0); --bad: light-dark(#b3261e, #ffb4ab); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--plain); font: 1rem/1.55 system-ui, sans-serif;
  overflow-wrap: anywhere; }
.note { padding: .6rem 1rem; background: var(--note); color: var(--note-text); text-align: center; }
main { max-width: 36rem; margin: 0 auto; padding: 2rem 1rem 3rem; }
h1, h2, main strong, dd { color: var(--strong); }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.3; }
h2 { margin: 0 0 .75rem; font-size: 1.125rem; line-height: 1.4; }
p { margin: 0 0 .75rem; }
section { margin: 0 0 1rem; padding: 1.25rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 12px; }
section > :last-child { margin-bottom: 0; }
.price { color: var(--strong); font-size: 2rem; font-weight: 700; line-height: 1.2; }
.price small { color: var(--faint); font-size: 1rem; font-weight: 400; }
.faint { color: var(--faint); font-size: .9375rem; }
dl { display: grid; grid-template-columns: minmax(6rem, auto) 1fr; gap: .35rem 1rem; margin: 0 0 1rem; }
dt { color: var(--faint); }
dd, form { margin: 0; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .75rem; }
.stack { display: grid; gap: .6rem; }
label { display: block; margin: 0 0 .35rem; color: var(--strong); font-weight: 600; }
button, select { min-height: 44px; padding: .55rem 1rem; border: 1px solid var(--line); border-radius: 8px;
  background: var(--card); color: var(--strong); font: inherit; font-weight: 600; }
button { cursor: pointer; }
button:hover { border-color: var(--faint); }
button.main { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
select { width: 100%; font-weight: 400; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[role=alert] { padding: .75rem 1rem; border: 1px solid var(--bad); border-radius: 8px; color: var(--bad); }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

export interface Page {
  status?: number;
  title: string;
  content: Markup;
  problem?: string | undefined;
  /** Where its forms may redirect to. */
  leadsTo?: readonly (string | null)[];
}

export function page({ status = 200, title, content, problem, leadsTo = [] }: Page): PageResponse {
  const { markup } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>${title} · Sandbox</title>
        ${{ markup: `<style>${STYLE}</style>` }}
      </head>
      <body>
        <div class="note"><strong>Sandbox.</strong> No real money moves, and you need no card.</div>
        <main>
          <h1>${title}</h1>
          ${problem === undefined ? undefined : html`<p role="alert">${problem}</p>`} ${content}
        </main>
      </body>
    </html>`;
  return {
    status,
    headers: { ...HEADERS, 'content-security-policy': policy(leadsTo) },
    body: markup,
  };
}

/** 303: the browser follows with GET. */
export function goTo(url: string): PageResponse {
  return { status: 303, headers: { ...HEADERS, location: url }, body: '' };
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // Forms send their origin, but no other site learns the address, which is the credential.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** Browsers apply `form-action` to a form's redirects too, so it names the pages they lead to. */
function policy(leadsTo: readonly (string | null)[]): string {
  const targets = leadsTo.flatMap((url) => (url === null || !isWebUrl(url) ? [] : [sourceOf(url)]));
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    'img-src data:',
    `form-action ${["'self'", ...new Set(targets)].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** A policy cannot name an IPv6 address or a host with a semicolon. It names their scheme instead. */
function sourceOf(url: string): string {
  const { origin, protocol, hostname } = new URL(url);
  return /^[a-z0-9.-]+$/.test(hostname) ? origin : protocol;
}
