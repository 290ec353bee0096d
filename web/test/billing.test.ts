import { describe, expect, it } from 'vitest';
import { expectAccessible } from './harness/browser.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();

describe('a server that sells nothing', () => {
  it('shows no plans and no prices, and says what its operator can do', async () => {
    const { page } = await stage.openAsOwner();
    await page.goto('/settings/billing');
    await page.getByText('Nothing is sold on this server').waitFor();
    await page.getByText('docs/billing.md').first().waitFor();
    expect(await page.getByText('Choose Pro').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: /^Buy/ }).count()).toBe(0);
    await page.getByText('Try the payment pages').waitFor();
    await page.route('**/web/server-info', (route) =>
      route.fulfill({ json: { data: { sendsMail: true, payments: 'NONE' } } }),
    );
    await page.reload();
    await page.getByText('Nothing is sold on this server').waitFor();
    await page.getByRole('meter').waitFor();
    expect(await page.getByText('Try the payment pages').count()).toBe(0);
    expect(await page.getByText(/US\$/).count()).toBe(0);
    await expectAccessible(page, 'billing where nothing is sold');
  });
});

describe('a payment', () => {
  it('shows its price before, and says at once that it was cancelled', async () => {
    const { page } = await stage.openAsOwner();
    await page.goto('/settings/billing');
    await page.getByText('Try the payment pages').click();
    await page.getByText('US$19.00 a month').waitFor();
    await page.getByRole('radio', { name: 'Annual' }).check({ force: true });
    await page.getByText('US$190.00 a year').waitFor();
    await page.getByRole('button', { name: 'Choose Pro' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. Nothing was paid.').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    expect(await page.getByText('Checking for your payment').count()).toBe(0);
    await page.getByRole('button', { name: /^Buy/ }).last().click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. Nothing was paid.').waitFor();
  });
});

describe('credits', () => {
  it('are bought in the sandbox and are there on return', async () => {
    const { page } = await stage.openAsOwner();
    await page.goto('/settings/billing');
    await page.getByText('Try the payment pages').click();
    await page.getByRole('radio', { name: /^500/ }).check({ force: true });
    await page
      .getByRole('button', { name: /buy|top up/i })
      .last()
      .click();
    await page.getByRole('button', { name: 'Pay (sandbox)' }).click();
    await page.waitForURL(/\/settings\/billing/);
    await page.getByText('700', { exact: true }).first().waitFor();
    const { balance, topup } = await stage.atrium.client.billing.credits();
    expect({ balance, topup }).toEqual({ balance: 700, topup: 500 });
    await page.getByRole('table').getByText(/\+500/).first().waitFor();
  });
});
