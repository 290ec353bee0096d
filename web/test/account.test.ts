import { describe, expect, it } from 'vitest';
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
    await second.page.getByLabel('E-mail').fill('ADA@example.com');
    await second.page.getByLabel('Password').fill('not the password');
    await second.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await second.page
      .getByText(/is wrong/)
      .first()
      .waitFor();
    await second.page.getByLabel('Password').fill(PASSWORD);
    await second.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    // Back to where it was going.
    await second.page.waitForURL(/\/settings\/profile/);

    await first.page.reload();
    await first.page.getByRole('button', { name: /^Sign out Chrom/ }).click();
    const dialog = first.page.getByRole('dialog');
    if (await dialog.isVisible()) await dialog.getByRole('button', { name: /sign out/i }).click();
    await second.page.waitForURL(/\/sign-in/);
  });

  it('changes the address with a link emailed to the new one', async () => {
    const person = await stage.atrium.addPerson('old@example.com');
    const { page } = await stage.open({ person });
    await page.goto('/settings/profile');
    await page.getByLabel('New address').fill('new@example.com');
    await page.getByRole('button', { name: 'Send the link' }).click();
    const link = await stage.atrium.linkMailedTo('new@example.com');
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm the new address' }).click();
    await page.getByRole('heading', { name: 'Your address is changed' }).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    const { items } = await stage.atrium.client.org.listMembers(stage.atrium.firstRun.orgId);
    expect(items.map(({ email }) => email)).toContain('new@example.com');
    await expect.poll(() => stage.atrium.mailCount('old@example.com')).toBe(3);
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
