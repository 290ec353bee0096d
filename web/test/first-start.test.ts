import { describe, expect, it } from 'vitest';
import { composerOf, signInAsOwner } from './harness/browser.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage({ isFirstStart: true });

describe('after the first start', () => {
  it('an agent answers, with a citation that opens the memory it quotes', async () => {
    const { page } = await stage.open();
    await signInAsOwner(page, stage.atrium);
    await page.getByLabel('Your name').fill('Öznur Lind');
    expect(await page.getByLabel('Your handle').inputValue()).toBe('oznur');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByLabel('Your name').waitFor({ state: 'detached' });
    await page.getByText('Öznur Lind').first().waitFor();
    await page.getByRole('button', { name: /First project/ }).click();
    const composer = composerOf(page);

    // The three steps end in an answer, as they are.
    await expect.poll(() => composer.inputValue()).toMatch(/^@recall /);
    await composer.press('Enter');
    const first = page.getByRole('article').filter({ hasText: 'Here is what I found' });
    await first.getByText('go into memory').first().waitFor();
    expect(await first.locator('figcaption time').count()).toBe(1);

    await stage.atrium.client.memory.create({
      content: 'We decided to price the Team plan at 12 EUR per seat and month.',
      visibility: 'ORG',
    });
    await composer.fill('@recall what did we decide about pricing?');
    await composer.press('Escape');
    await composer.press('Enter');
    const answer = page.getByRole('article').filter({ hasText: 'recall' }).last();
    await answer.getByText('12 EUR per seat').first().waitFor();
    await answer.getByRole('list', { name: 'Sources' }).getByRole('button').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('We decided to price the Team plan').waitFor();
    expect(await dialog.getByText(/every(one|body) in/i).count()).toBeGreaterThan(0);
    await page.keyboard.press('Escape');

    const slug = new URL(page.url()).pathname.split('/')[2] ?? '';
    const { client } = stage.atrium;
    const { id: sessionId } = await client.sessions.create(slug, { name: 'Moving' });
    await client.messages.post(slug, sessionId, { body: 'The archive moves to Basel in May.' });
    await composer.fill('@recall when does the archive move to Basel?');
    await composer.press('Escape');
    await composer.press('Enter');
    const second = page.getByRole('article').filter({ hasText: 'in “Moving”' }).last();
    await second.getByRole('list', { name: 'Sources' }).getByRole('button').first().click();
    await dialog.getByText('The archive moves to Basel in May.').waitFor();
    await dialog.getByRole('link', { name: 'Open in session' }).click();
    await expect.poll(() => page.url()).toContain(sessionId);
    await page.getByRole('article').filter({ hasText: 'The archive moves' }).first().waitFor();
  });

  it('the printed link works once, and the page says so the second time', async () => {
    const { page } = await stage.open();
    await page.goto(stage.atrium.firstRun.signInUrl);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    expect(new URL(page.url()).hash).toBe('');
    await page
      .getByText(/already|used/i)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Get a new link' }).waitFor();
  });
});
