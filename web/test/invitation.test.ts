import { describe, expect, it } from 'vitest';
import { expectAccessible } from './harness/browser.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();
const BOB = 'bob@example.com';

describe('an invitation', () => {
  it('arrives by email, and a second browser gives a name, joins, is greeted and is a member', async () => {
    const { client } = stage.atrium;
    const { slug } = await client.projects.create({ name: 'Bakery' });
    const { id } = await client.sessions.create(slug, { name: 'Hello, Bob', isForEveryone: true });
    const { page: ours } = await stage.openAsOwner();
    await ours.goto('/settings/members');
    await ours.getByRole('textbox', { name: /email/i }).fill(BOB);
    await ours.getByRole('button', { name: 'Send invitation' }).last().click();
    await ours.getByText(BOB).first().waitFor();

    const { page: theirs } = await stage.open();
    await theirs.goto(await stage.atrium.linkMailedTo(BOB));
    await theirs.getByText('owner invited you to').waitFor();
    await theirs.getByLabel('Your name').fill('Bob Baker');
    await expectAccessible(theirs, 'an invitation to somebody new');
    await theirs.getByRole('button', { name: 'Join My workspace' }).click();
    await theirs.getByRole('navigation').first().waitFor();
    const welcome = theirs.getByRole('region', { name: 'Welcome' });
    await welcome.getByText('owner invited you to work with them.').waitFor();
    await welcome.getByText(/1 project/).waitFor();
    await expectAccessible(theirs, 'the welcome of somebody new');
    await welcome.getByRole('link', { name: /^Hello, Bob/ }).click();
    await theirs.waitForURL(`/p/${slug}/s/${id}`);
    await theirs.goto('/');
    await welcome.getByRole('button', { name: 'Close the welcome' }).click();
    await theirs.reload();
    await theirs.getByRole('heading', { level: 1 }).waitFor();
    expect(await welcome.count()).toBe(0);
    expect(await stage.atrium.mailCount(BOB)).toBe(1);
    const { items } = await stage.atrium.client.org.listMembers(stage.atrium.firstRun.orgId);
    expect(items).toContainEqual(
      expect.objectContaining({ email: BOB, name: 'Bob Baker', role: 'MEMBER' }),
    );

    // The inviter's page updates by itself.
    await ours
      .getByRole('listitem')
      .filter({ hasText: BOB })
      .filter({ hasText: /joined/i })
      .waitFor();
  });

  it('has a link to copy, which opens the page but signs nobody in', async () => {
    const { client, firstRun } = stage.atrium;
    const email = 'dora@example.com';
    await client.org.invite(firstRun.orgId, { email, role: 'MEMBER' });
    const { page: ours } = await stage.openAsOwner();
    await ours.goto('/settings/members');
    await ours.getByText('This server sends no email').waitFor();
    await ours.getByText('Copy an invitation’s link and pass it on yourself.').waitFor();
    await ours.getByRole('button', { name: `Copy the link of the invitation to ${email}` }).click();
    await ours.getByText('Link copied').waitFor();
    const copied = await ours.evaluate<string>('navigator.clipboard.readText()');

    const { page: theirs } = await stage.open();
    await theirs.goto(copied);
    await theirs.getByRole('button', { name: `Send a sign-in link to ${email}` }).click();
    await theirs.goto(await stage.atrium.linkMailedTo(email, 1));
    await theirs.getByRole('button', { name: 'Sign in', exact: true }).click();
    await theirs.getByRole('button', { name: 'Join My workspace' }).click();
    await theirs.getByRole('navigation').first().waitFor();
  });

  it('cannot be accepted by someone else, and the page says who it is for', async () => {
    const { client, firstRun } = stage.atrium;
    await client.org.invite(firstRun.orgId, { email: 'carol@example.com', role: 'MEMBER' });
    const { page } = await stage.openAsOwner();
    await page.goto(await stage.atrium.linkMailedTo('carol@example.com'));
    await page.getByText('but this invitation is for').waitFor();
    expect(await page.getByRole('button', { name: /^Join/ }).count()).toBe(0);
  });

  it('that does not exist is explained', async () => {
    const { page } = await stage.open();
    await page.goto('/invite/made-up-token');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page
      .getByText(/not found|unknown|no such|does not exist|not known/i)
      .first()
      .waitFor();
  });
});
