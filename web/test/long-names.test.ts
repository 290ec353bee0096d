import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Project, Session } from '../../sdk-js/src/index.ts';
import { uniqueEmail } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();
const LONG = 'W'.repeat(120);
let project: Project;
let session: Session;

beforeAll(async () => {
  const { atrium } = stage;
  const { client, origin } = atrium;
  const person = await atrium.addPerson(uniqueEmail('w'.repeat(50)));
  const response = await fetch(`${origin}/web/profile`, {
    method: 'PATCH',
    headers: {
      'content-type': 'application/json',
      origin,
      cookie: `${person.cookie.name}=${person.cookie.value}`,
    },
    body: JSON.stringify({ name: LONG }),
  });
  expect(response.status).toBe(200);
  project = await client.projects.create({ name: LONG, access: 'MEMBERS' });
  await client.projects.addMember(project.id, person.userId);
  session = await client.sessions.create(project.slug, {
    name: LONG,
    participantUserIds: [person.userId],
  });
  await client.messages.post(project.slug, session.id, { body: LONG });
  await client.agents.create({ slug: 'w'.repeat(40), name: LONG, projectIds: [project.id] });
  await client.keys.create({ name: LONG, scopes: ['projects:read'] });
  await client.memory.create({
    content: LONG,
    visibility: 'PROJECT',
    projectId: project.id,
    tags: ['w'.repeat(50)],
  });
});

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).first().click();

async function choose(page: Page, menu: string, item: string | RegExp): Promise<void> {
  await press(page, menu);
  await page.getByRole('menuitem', { name: item }).click();
}

/** How each dialog that shows names is opened. */
const DIALOGS: Record<string, { path: () => string; open: (page: Page) => Promise<void> }> = {
  'new session': {
    path: () => `/p/${project.slug}`,
    open: (page) => press(page, /^Start session/),
  },
  'edit project': {
    path: () => `/p/${project.slug}`,
    open: (page) => choose(page, 'Project actions', /^Edit/),
  },
  'remove from project': {
    path: () => `/p/${project.slug}`,
    open: (page) => press(page, `Remove ${LONG}`),
  },
  'rename session': {
    path: () => `/p/${project.slug}/s/${session.id}`,
    open: (page) => choose(page, 'Session actions', 'Rename'),
  },
  'edit agent': { path: () => '/settings/agents', open: (page) => press(page, 'Edit') },
  'try agent': { path: () => '/settings/agents', open: (page) => press(page, /^Try/) },
  'rotate key': { path: () => '/settings/keys', open: (page) => press(page, `Rotate ${LONG}`) },
  'revoke key': { path: () => '/settings/keys', open: (page) => press(page, `Revoke ${LONG}`) },
  'remove member': {
    path: () => '/settings/members',
    open: (page) => press(page, `Remove ${LONG}`),
  },
  'add memory': { path: () => '/memory', open: (page) => press(page, /^Add memory/) },
  palette: {
    path: () => '/memory',
    async open(page) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search or jump to' }).fill('www');
    },
  },
};

describe.each([360, 1280])('%i pixels wide', (width) => {
  it('no dialog is pushed apart by a name of 120 letters', async () => {
    const { page } = await stage.openAsOwner({ size: { width, height: 740 } });
    for (const [name, { path, open }] of Object.entries(DIALOGS)) {
      await page.goto(path());
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await open(page);
      await page.getByRole('dialog').waitFor();
      await page.getByRole('dialog').getByText('Loading').first().waitFor({ state: 'detached' });
      expect(await page.evaluate(STICKING_OUT), `${name}, ${width} px`).toEqual([]);
    }
  });
});

/** What is wider than the open dialog, or would make it scroll sideways. */
const STICKING_OUT = `(() => {
  const dialog = document.querySelector('dialog[open]');
  const edge = dialog.getBoundingClientRect().right;
  const out = [...dialog.querySelectorAll('*')].filter((element) => {
    const { right, width, height } = element.getBoundingClientRect();
    return right > edge + 1 && width > 1 && height > 1 && !element.closest('.truncate, option');
  });
  const names = out.map((element) => element.outerHTML.slice(0, 120));
  return dialog.scrollWidth > dialog.clientWidth ? ['scrolls sideways', ...names] : names;
})()`;
