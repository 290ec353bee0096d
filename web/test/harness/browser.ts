import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type Locator,
  type Page,
} from 'playwright-core';
import { expect } from 'vitest';
import type { Person, TestAtrium } from './atrium.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
let axe: string | undefined;

/** A page and what it did that a page must never do. */
export interface Watched {
  page: Page;
  context: BrowserContext;
  /** Console errors, exceptions, policy violations, and requests to another origin. */
  complaints: string[];
}

export function launch(): Promise<Browser> {
  const executablePath = process.env['TEST_CHROMIUM'] ?? '';
  return chromium.launch({
    executablePath,
    args: [
      '--disable-gpu',
      '--no-sandbox',
      '--disable-dev-shm-usage',
      // Contexts never share a process. This is against spare ones, which cost a sixth of the processor time.
      '--renderer-process-limit=1',
    ],
  });
}

let shared: Promise<Browser> | undefined;

/** The browser of all test files of this worker, which ends with it. */
export function sharedBrowser(): Promise<Browser> {
  return (shared ??= launch());
}

export interface PageOptions {
  person?: Person;
  theme?: 'light' | 'dark';
  size?: { width: number; height: number };
  /** A phone: it has no mouse and no keyboard of its own. */
  isTouch?: boolean;
}

/** A separate browser context with no cookies except those of `person`. */
export async function openBrowser(
  browser: Browser,
  atrium: TestAtrium,
  {
    person,
    theme = 'light',
    size = { width: 1280, height: 800 },
    isTouch = false,
  }: PageOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({
    baseURL: atrium.origin,
    colorScheme: theme,
    viewport: size,
    hasTouch: isTouch,
    isMobile: isTouch,
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(60_000);
  if (person) await context.addCookies([person.cookie]);
  const page = await context.newPage();
  const watched = { page, context, complaints: [] };
  watch(page, atrium.origins, watched.complaints);
  context.on('page', (other) => watch(other, atrium.origins, watched.complaints));
  return watched;
}

function watch(page: Page, origins: readonly string[], complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    // The browser logs each response of 400 or above and each lost connection. Those are expected here.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) {
      complaints.push(`console: ${text}`);
    }
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!origins.some((origin) => url.startsWith(origin)) && !/^(data|blob|about):/.test(url)) {
      complaints.push(`off origin: ${url}`);
    }
  });
}

/** Signs in with the link that the first start prints. */
export async function signInAsOwner(page: Page, atrium: TestAtrium): Promise<void> {
  await page.goto(atrium.firstRun.signInUrl);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation').first().waitFor();
}

/** The composer of a session. */
export function composerOf(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Message', exact: true });
}

/** Sends a message, or runs a command. Escape closes the list of suggestions. */
export async function say(page: Page, text: string): Promise<void> {
  await composerOf(page).fill(text);
  await composerOf(page).press('Escape');
  await composerOf(page).press('Enter');
}

interface AxeResult {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
}

/** No violation of WCAG 2.2 A and AA, nor of axe's best practices. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  await expectNoViolations(page, name, [
    'wcag2a',
    'wcag2aa',
    'wcag21a',
    'wcag21aa',
    'wcag22aa',
    'best-practice',
  ]);
}

/** Colours are all that the dark theme changes. */
export async function expectReadableInTheDark(page: Page, name: string): Promise<void> {
  // They change at once, instead of being measured on their way.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.locator('html[data-theme=dark]').waitFor();
  await expectNoViolations(page, `${name} in the dark`, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
}

/** Resolves when the page's fonts are there and nothing has changed on it for a moment. */
const STANDS_STILL = `document.fonts.ready.then(() => new Promise((resolve) => {
  let timer;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => { observer.disconnect(); resolve(); }, 150);
  };
  const observer = new MutationObserver(wait);
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  wait();
  setTimeout(resolve, 10_000);
}))`;

async function expectNoViolations(page: Page, name: string, rules: string[]): Promise<void> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await injectAxe(page);
  const result = await page.evaluate<AxeResult>(
    // Measured when nothing fades any more (what spins never ends), and nothing arrives: a list that moves
    // in the middle looks as if its rows covered each other. Without all that is fine, which is much to send.
    `${STANDS_STILL}.then(() => Promise.allSettled(document.getAnimations()
        .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished)))
      .then(() => axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] }))
      .then(({ violations }) => ({ violations }))`,
  );
  const found = result.violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes
        .slice(0, 3)
        .map((node) => `    ${node.html.slice(0, 200)}\n    ${node.failureSummary ?? ''}`)
        .join('\n')}`,
  );
  expect(found, `${name} is not accessible`).toEqual([]);
}

/** Through the DevTools protocol, because the page's policy refuses injected scripts. */
async function injectAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  axe ??= await readFile(AXE, 'utf8');
  // It is much to describe, so nothing of it is returned.
  await session.send('Runtime.evaluate', { expression: `${axe};undefined` });
  await session.detach();
}
