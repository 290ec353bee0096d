import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './harness/browser.ts';
import { chooseOption } from './harness/fields.ts';
import { uniqueEmail } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();
const run = promisify(execFile);
const PASSWORD = 'four words in a row';

const fromOurPage = (data: object) => ({ data, headers: { origin: stage.atrium.origin } });

describe('an API key', () => {
  it('is created, copied and works in the curl command shown, then is rotated and revoked', async () => {
    const { page, context } = await stage.openAsOwner();
    await page.goto('/settings/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Deploy bot');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByRole('dialog', { name: /Deploy bot/ });
    const secret = await shown.getByRole('textbox', { name: 'API key' }).inputValue();
    expect(secret).toMatch(/^atr_[0-9A-Za-z]{46}$/);
    await shown.getByRole('button', { name: 'Copy key' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await shown.getByRole('button', { name: /^Copy curl/ }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain('curl ');
    const code = await page.evaluate<string>('navigator.clipboard.readText()');

    // Run in a shell, like a person who copied it.
    const { stdout } = await run('bash', ['-c', code]);
    expect(stdout).toContain('"email":"owner@localhost"');

    await shown.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(secret);
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
    );
    expect(stored).not.toContain(secret);

    const statusOf = async (key: string) =>
      (
        await context.request.get('/api/me', { headers: { authorization: `Bearer ${key}` } })
      ).status();
    const row = page.getByRole('listitem').filter({ hasText: 'Deploy bot' }).first();
    await row.getByRole('button', { name: /rotate/i }).click();
    await chooseOption(
      page.getByRole('dialog').getByRole('button', { name: /Keep it for 1 hour/ }),
      'Stop it now',
    );
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Rotate/ })
      .click();
    const rotated = await shown.getByRole('textbox', { name: 'API key' }).inputValue();
    expect([await statusOf(secret), await statusOf(rotated)]).toEqual([401, 200]);
    await shown.getByRole('button', { name: 'Done' }).click();

    await row.getByRole('button', { name: /revoke/i }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText(/Key “Deploy bot” revoked/).waitFor();
    expect(await statusOf(rotated)).toBe(401);
  });

  it('that is new is not lost by Escape: the dialog asks first', async () => {
    const { page } = await stage.openAsOwner();
    await page.goto('/settings/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const name = 'k'.repeat(120);
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByRole('dialog', { name: /Your new key/ });
    const secret = shown.getByRole('textbox', { name: 'API key' });
    await secret.waitFor();
    for (let press = 0; press < 3; press++) await page.keyboard.press('Escape');
    await shown.getByText('You haven’t copied the key yet').waitFor();
    expect(await secret.isVisible()).toBe(true);
    await expectAccessible(page, 'the question before a new key is closed');
    await shown.getByRole('button', { name: 'Back to the key' }).click();
    await shown.getByRole('button', { name: 'Copy key' }).click();
    await shown.getByText('Copied').waitFor();
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
  });

  it('asks who it is 15 minutes after signing in, and goes on with the password', async () => {
    const person = await stage.atrium.addPerson(uniqueEmail('asked'));
    const { context, page } = await stage.open({ person });
    const set = { password: PASSWORD, revokeKeys: false };
    expect((await context.request.put('/web/password', fromOurPage(set))).status()).toBe(200);
    await stage.atrium.ageSignIns(15);
    await page.goto('/settings/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'New API key' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Nightly job');
    await dialog.getByRole('button', { name: 'Memory only' }).click();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Confirm that it’s you first').waitFor();
    await expectAccessible(page, 'the dialog that asks who creates a key');
    await dialog.getByLabel('Your password').fill('not the password');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('Is not your current password').waitFor();
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByLabel('Your password').press('Enter');
    const shown = page.getByRole('dialog', { name: /Nightly job/ });
    await shown.getByRole('button', { name: 'Copy key' }).click();
    await shown.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Nightly job' });
    await row.getByText('Memory only').waitFor();

    // Confirmed for the next one, too.
    await row.getByRole('button', { name: /rotate/i }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
    await shown.getByRole('textbox', { name: 'API key' }).waitFor();
  });

  it('goes on after a link was opened in another tab, with what was typed', async () => {
    const person = await stage.atrium.addPerson(uniqueEmail('by-link'));
    const { context, page } = await stage.open({ person });
    await stage.atrium.ageSignIns(15);
    await page.goto('/settings/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'New API key' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('From my laptop');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Confirm that it’s you first').waitFor();
    expect(await dialog.getByLabel('Your password').count()).toBe(0);
    const mails = await stage.atrium.mailCount(person.email);
    await dialog.getByRole('button', { name: 'Email me a link' }).click();
    await dialog.getByText('come back to this tab').waitFor();

    const other = await context.newPage();
    await other.goto(await stage.atrium.linkMailedTo(person.email, mails));
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.waitForURL(/\/settings\/keys$/);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page
      .getByRole('dialog', { name: /From my laptop/ })
      .getByRole('textbox', { name: 'API key' })
      .waitFor();
  });

  it('of the org is only for OWNERs and ADMINs, and a MEMBER is told so', async () => {
    const person = await stage.atrium.addPerson(uniqueEmail('member'));
    const { page } = await stage.open({ person });
    await page.goto('/settings/keys');
    await page.getByText(/only owners and admins/).waitFor();
    expect(await page.getByRole('button', { name: 'Create organisation key' }).count()).toBe(0);
  });
});
