import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readExport } from '../../server/test/harness/clients/untar.ts';
import type { Person } from './harness/atrium.ts';
import { composerOf, expectAccessible } from './harness/browser.ts';
import { createRoom, uniqueEmail } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();
const PASSWORD = 'four words in a row';

describe('a person', () => {
  it('sets a password, signs in with it on a second device, and signs that device out from the first', async () => {
    const person = await stage.atrium.addPerson('ada@example.com');
    const first = await stage.open({ person });
    await first.page.goto('/settings/profile');
    await first.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await first.page.getByRole('button', { name: 'Set password' }).click();
    await first.page.getByRole('button', { name: 'Change password' }).waitFor();

    const second = await stage.open();
    await second.page.goto('/settings/profile');
    await second.page.waitForURL(/\/sign-in/);
    await second.page.getByRole('button', { name: 'Use a password instead' }).click();
    await second.page.getByLabel('Email').fill('ADA@example.com');
    await second.page.getByLabel('Password').fill('not the password');
    await second.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await second.page
      .getByText(/Wrong email address/)
      .first()
      .waitFor();
    await second.page.getByLabel('Password').fill(PASSWORD);
    await second.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    // Back to where it was going.
    await second.page.waitForURL(/\/settings\/profile/);

    await first.page.reload();
    await first.page.getByRole('button', { name: /^Sign out Chrom/ }).click();
    await second.page.waitForURL(/\/sign-in/);
  });

  it('signs out here, and leaves no draft for whoever uses the browser next', async () => {
    const person = await stage.atrium.addPerson(uniqueEmail('leaving'));
    const { path } = await createRoom(stage.atrium.client, 'Left');
    const { page } = await stage.open({ person });
    await page.goto(path);
    await composerOf(page).fill('Not yet sent');
    const drafts = () => page.evaluate(() => JSON.stringify(localStorage));
    await expect.poll(drafts).toContain('Not yet sent');
    await page.goto('/settings/profile');
    await page.getByRole('button', { name: 'Sign out here' }).click();
    await page.waitForURL(/\/sign-in/);
    expect(await drafts()).not.toContain('Not yet sent');
  });

  it('changes the address with a link emailed to the new one', async () => {
    const person = await stage.atrium.addPerson('old@example.com');
    const { page } = await stage.open({ person });
    await page.goto('/settings/profile');
    await page.getByLabel('New address').fill('new@example.com');
    await page.getByRole('button', { name: 'Send link' }).click();
    const link = await stage.atrium.linkMailedTo('new@example.com');
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm address' }).click();
    await page.getByRole('heading', { name: 'Email address changed' }).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    const { items } = await stage.atrium.client.org.listMembers(stage.atrium.firstRun.orgId);
    expect(items.map(({ email }) => email)).toContain('new@example.com');
    await expect.poll(() => stage.atrium.mailCount('old@example.com')).toBe(3);
  });

  it('is asked to sign in again before the address changes, and an emailed link brings them back', async () => {
    const person = await stage.atrium.addPerson(uniqueEmail('asked'));
    await setPassword(person);
    const { page } = await stage.open();
    await signInWithPassword(page, person.email);
    await page.getByLabel('New address').fill('elsewhere@example.com');
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText('Confirm that it’s you first').waitFor();
    expect(await stage.atrium.mailCount('elsewhere@example.com')).toBe(0);
    await expectAccessible(page, 'the profile, asking who it is');
    const mails = await stage.atrium.mailCount(person.email);
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await page.goto(await stage.atrium.linkMailedTo(person.email, mails));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/settings\/profile$/);
    await page.getByLabel('New address').fill('elsewhere@example.com');
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText('We sent a link to elsewhere@example.com').waitFor();
  });

  it('changes the address with the password, and is told if it is wrong', async () => {
    const person = await stage.atrium.addPerson(uniqueEmail('with-password'));
    await setPassword(person);
    const { page } = await stage.open();
    await signInWithPassword(page, person.email);
    await page.getByLabel('New address').fill('next@example.com');
    await page.getByLabel('Your password').fill('not the password');
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText('is not your current password').waitFor();
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText('We sent a link to next@example.com').waitFor();
  });

  it('takes the account back from the old address, and whoever took it is signed out', async () => {
    const person = await stage.atrium.addPerson(uniqueEmail('robbed'));
    const taken = uniqueEmail('taken');
    const thief = await stage.open({ person });
    await thief.page.goto('/settings/profile');
    await thief.page.getByLabel('New address').fill(taken);
    await thief.page.getByRole('button', { name: 'Send link' }).click();
    await thief.page.goto(await stage.atrium.linkMailedTo(taken));
    const mails = await stage.atrium.mailCount(person.email);
    await thief.page.getByRole('button', { name: 'Confirm address' }).click();
    await thief.page.getByRole('heading', { name: 'Email address changed' }).waitFor();
    await thief.page.getByRole('link', { name: 'Go to your projects' }).click();
    await thief.page.getByRole('navigation').first().waitFor();
    const data = { name: 'Backdoor', scopes: ['org:read'] };
    const headers = { origin: stage.atrium.origin };
    expect((await thief.context.request.post('/api/keys', { data, headers })).status()).toBe(201);

    const { page } = await stage.open();
    const link = await stage.atrium.linkMailedTo(person.email, mails);
    await page.goto(link);
    const button = page.getByRole('button', { name: 'Undo change' });
    await button.waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await expectAccessible(page, 'the page that undoes a change');
    await button.click();
    await page.getByRole('heading', { name: 'Address change undone' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Backdoor' }).waitFor();
    await expectAccessible(page, 'the page after a change was undone');
    // Without a reload: the open page gets a hint.
    await thief.page.waitForURL(/\/sign-in/);

    await page.getByRole('button', { name: `Send a sign-in link to ${person.email}` }).click();
    await page.goto(await stage.atrium.linkMailedTo(person.email, mails + 2));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/settings\/profile$/);
    await page.goto(link);
    await page.getByRole('button', { name: 'Undo change' }).click();
    await page.getByText('already undone with this link').waitFor();
  });

  it('changes the password, and revokes the API keys unless they choose otherwise', async () => {
    const person = await stage.atrium.addPerson(uniqueEmail('changes'));
    const { context, page } = await stage.open({ person });
    const origin = { origin: stage.atrium.origin };
    const makeKey = async () => {
      const data = { name: 'Script', scopes: ['org:read'] };
      const made = await context.request.post('/api/keys', { data, headers: origin });
      return ((await made.json()) as { data: { secret: string } }).data.secret;
    };
    const statusOf = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      return (await context.request.get('/api/me', { headers })).status();
    };
    const key = await makeKey();
    await page.goto('/settings/profile');
    const revokes = page.getByLabel('Also revoke my API keys');
    // A first password is no sign that anything was stolen.
    expect(await revokes.isChecked()).toBe(false);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Password set', { exact: true }).waitFor();
    expect(await statusOf(key)).toBe(200);

    await page.getByLabel('New password').fill(`${PASSWORD} more`);
    expect(await revokes.isChecked()).toBe(true);
    await expectAccessible(page, 'the profile, with a new password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed. 1 API key revoked').waitFor();
    expect(await statusOf(key)).toBe(401);

    const kept = await makeKey();
    await page.getByLabel('New password').fill(`${PASSWORD} again`);
    await revokes.uncheck();
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed', { exact: true }).waitFor();
    expect(await statusOf(kept)).toBe(200);
  });

  it('downloads their own data, then deletes the account, and can be invited as somebody new', async () => {
    const person = await stage.atrium.addPerson(uniqueEmail('leaving'));
    const { page } = await stage.open({ person });
    await page.goto('/settings/profile');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download my data' }).click();
    const { account = [] } = readExport(await readFile(await (await download).path()));
    expect(account).toMatchObject([{ userId: person.userId, email: person.email }]);

    await page.getByRole('button', { name: 'Delete account…' }).click();
    const dialog = page.getByRole('dialog');
    await expectAccessible(page, 'the dialog that deletes an account');
    await dialog.getByLabel('Your email address').fill('somebody@example.com');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByText(`Enter ${person.email} to confirm.`).nth(1).waitFor();
    await dialog.getByLabel('Your email address').fill(person.email);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.waitForURL(/\/sign-in/);
    const { client, firstRun } = stage.atrium;
    const { items } = await client.org.listMembers(firstRun.orgId);
    expect(items.map(({ userId }) => userId)).not.toContain(person.userId);
    const invitation = { email: person.email, role: 'MEMBER' } as const;
    expect((await client.org.invite(firstRun.orgId, invitation)).status).toBe('PENDING');
  });

  it('is asked for the password before the account is deleted', async () => {
    const person = await stage.atrium.addPerson(uniqueEmail('asked-again'));
    await setPassword(person);
    const { page } = await stage.open();
    await signInWithPassword(page, person.email);
    await page.getByRole('button', { name: 'Delete account…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your email address').fill(person.email);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByText('Confirm that it’s you first').waitFor();
    await dialog.getByLabel('Your password').fill('not the password');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByText('is not your current password').waitFor();
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.waitForURL(/\/sign-in/);
  });

  it('exports the organisation as its owner; others read why they can’t', async () => {
    const { page } = await stage.openAsOwner();
    await page.goto('/settings/export');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download export' }).click();
    const { org = [] } = readExport(await readFile(await (await download).path()));
    expect(org).toMatchObject([{ id: stage.atrium.firstRun.orgId }]);
    const member = await stage.open({ person: await stage.atrium.addPerson(uniqueEmail('other')) });
    await member.page.goto('/settings/export');
    await member.page.getByText('Only owners can export').waitFor();
    expect(await member.page.getByRole('button', { name: 'Download export' }).isDisabled()).toBe(
      true,
    );
  });

  it('creates a second org, switches between them, and sees nothing of one in the other', async () => {
    const { page } = await stage.openAsOwner();
    await stage.atrium.client.projects.create({ name: 'Only in the first' });
    await page.goto('/');
    await page.getByText('Only in the first').first().waitFor();
    await page
      .getByRole('button', { name: /My workspace/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: /organisation/i }).click();
    await page.getByRole('dialog').getByRole('textbox').first().fill('Second home');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /create/i })
      .click();
    await page
      .getByRole('button', { name: /Second home/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: /First project/ }).waitFor();
    expect(await page.getByText('Only in the first').count()).toBe(0);
    await page
      .getByRole('button', { name: /Second home/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: /My workspace/ }).click();
    await page.getByText('Only in the first').first().waitFor();
  });
});

describe('the sign-in page', () => {
  it('asks whether somebody is signed in without a failed request', async () => {
    const { page } = await stage.open();
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto('/');
    await page.waitForURL(/\/sign-in/);
    await page.getByRole('button', { name: 'Email me a link' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Email me a link' }).waitFor();
    expect(errors).toEqual([]);
  });
});

/** By the session of a link just opened. */
async function setPassword({ cookie }: Person): Promise<void> {
  const { origin } = stage.atrium;
  const response = await fetch(`${origin}/web/password`, {
    method: 'PUT',
    headers: {
      'content-type': 'application/json',
      origin,
      cookie: `${cookie.name}=${cookie.value}`,
    },
    body: JSON.stringify({ password: PASSWORD }),
  });
  expect(response.status).toBe(200);
}

/** And on to the profile. */
async function signInWithPassword(page: Page, email: string): Promise<void> {
  await page.goto('/settings/profile');
  await page.getByRole('button', { name: 'Use a password instead' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/settings\/profile/);
}
