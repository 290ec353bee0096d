import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildWeb } from '../../server/src/commands/build-web.ts';
import { startAtrium, type Person } from '../test/harness/atrium.ts';
import { launch, openBrowser } from '../test/harness/browser.ts';
import { buildExampleTeam } from '../test/harness/example-team.ts';

/** `npm run screenshots [folder]`: the main pages of an example team, in light, dark and on a phone. */

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const VIEWS = [
  { view: 'light', theme: 'light', size: WIDE },
  { view: 'dark', theme: 'dark', size: WIDE },
  { view: 'phone', theme: 'light', size: PHONE },
] as const;

const folder = process.argv[2] ?? fileURLToPath(new URL('../screenshots', import.meta.url));

process.env['TEST_CHROMIUM'] ??= '/usr/bin/chromium';
await mkdir(folder, { recursive: true });
await buildWeb();
const atrium = await startAtrium();
const browser = await launch();
try {
  const team = await buildExampleTeam(atrium);
  const sessionPath = `/p/${team.project.slug}/s/${team.session.id}`;
  const pages: Record<string, string> = {
    home: '/',
    inbox: '/inbox',
    project: `/p/${team.project.slug}`,
    session: sessionPath,
    files: `/p/${team.project.slug}/files`,
    'files-empty': '/p/people-ops/files',
    'session-files': `/p/${team.project.slug}/s/${team.shared.id}`,
    pdf: `/p/${team.project.slug}/files?file=${team.pdfId}&page=2`,
    board: `/p/${team.project.slug}/tasks/board`,
    task: `/p/${team.project.slug}/t/1`,
    memory: '/memory?q=price+of+the+team+plan',
    keys: '/settings/keys',
    members: '/settings/members',
    billing: '/settings/billing',
    usage: '/settings/usage',
    integrations: '/settings/integrations',
    profile: '/settings/profile',
  };
  const owner = await atrium.owner();
  for (const view of VIEWS) {
    await shootAll(pages, owner, view);
    await shootAll({ 'sign-in': '/sign-in' }, undefined, view);
  }
} finally {
  await browser.close();
  await atrium.stop();
}

async function shootAll(
  pages: Record<string, string>,
  person: Person | undefined,
  { view, theme, size }: (typeof VIEWS)[number],
): Promise<void> {
  const { page, context } = await openBrowser(browser, atrium, {
    theme,
    size,
    ...(person && { person }),
  });
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForTimeout(1_200);
    await page.screenshot({ path: `${folder}/${name}-${view}.png` });
    process.stdout.write(`${name}-${view}.png\n`);
  }
  await context.close();
}
