import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { createAuthority } from '../../server/test/harness/outside/certificates.ts';
import {
  startMattermost,
  type MattermostServer,
} from '../../server/test/harness/outside/chat/mattermost-server.ts';
import {
  startSlack,
  type SlackServer,
} from '../../server/test/harness/outside/chat/slack-server.ts';
import { expectAccessible, expectReadableInTheDark } from './harness/browser.ts';
import { chooseOption, fieldOf } from './harness/fields.ts';
import { unique } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

let mattermost: MattermostServer;
let slack: SlackServer;
let folder: string;

const stage = setStage({
  prepare: async () => {
    const authority = createAuthority();
    folder = await mkdtemp(join(tmpdir(), 'atrium-channels-'));
    [mattermost, slack] = await Promise.all([startMattermost(authority), startSlack(authority)]);
    await writeFile(join(folder, 'ca.pem'), authority.certificate);
    return {
      CHAT_ALLOW_HOSTS: `${mattermost.host},${new URL(slack.origin).host}`,
      SLACK_API_BASE: slack.origin,
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    };
  },
});

afterAll(async () => {
  await Promise.all([mattermost.close(), slack.close()]);
  await rm(folder, { recursive: true });
});

/** In both themes, and on a phone, where nothing is cut off. */
async function expectFine(page: Page, name: string): Promise<void> {
  // Colours change at once, instead of being measured on their way.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expectAccessible(page, name);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page, `${name} on a phone`);
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(overflow, `${name} scrolls sideways`).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectReadableInTheDark(page, name);
}

describe('chat connections', () => {
  it('are added with a guide, tested, repaired and deleted, and say what is wrong in place', async () => {
    const { page } = await stage.openAsOwner();
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('mattermost');
    await page.getByRole('option', { name: /Chat connections/ }).click();
    await page.getByRole('button', { name: 'Add connection' }).click();

    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Copy manifest' }).click();
    await dialog.getByText('Copied').waitFor();
    const copied: unknown = JSON.parse(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toMatchObject({ settings: { socket_mode_enabled: true } });
    await dialog.getByText('Which permissions, and why').click();
    await expectFine(page, 'the guide for Slack');
    await dialog.getByRole('radio', { name: 'Events API' }).check();
    await dialog.getByLabel('Bot token').fill(slack.botToken);
    await dialog.getByLabel('Signing secret').fill(slack.signingSecret);
    await dialog.getByRole('button', { name: 'Connect Slack' }).click();
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByText(/\/api\/webhooks\/slack\/\w+$/).waitFor();

    await page.getByRole('button', { name: 'Add connection' }).click();
    await dialog.getByRole('radio', { name: 'Mattermost' }).check();
    const connect = dialog.getByRole('button', { name: 'Connect Mattermost' });
    const tryWith = async (address: string, token: string, problem: RegExp) => {
      await dialog.getByLabel('Server address').fill(address);
      await dialog.getByLabel('Bot token').fill(token);
      await connect.click();
      await dialog.getByText(problem).waitFor();
    };
    await tryWith('https://127.0.0.1:1', 'a-token', /private/);
    await tryWith(slack.origin, 'a-token', /not a Mattermost server/);
    await tryWith(mattermost.url, 'another-token', /no longer accepts the token/);
    await dialog.getByLabel('Bot token').fill(mattermost.botToken);
    await dialog.getByLabel('Name (optional)').fill('Team chat');
    await connect.click();
    await dialog.waitFor({ state: 'detached' });

    const card = page.locator('section', {
      has: page.getByRole('heading', { name: 'Team chat' }),
    });
    await card.getByText('Connected', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Test connection' }).click();
    await card.getByText(/It works. The token is for @atrium/).waitFor();
    expect(await page.content()).not.toContain(mattermost.botToken);

    mattermost.revokeToken();
    await card.getByText('Not working', { exact: true }).waitFor();
    await card.getByText(/^Mattermost no longer accepts the token. Enter a new one/).waitFor();
    await card.getByRole('button', { name: 'Edit' }).click();
    expect(await dialog.getByLabel('Bot token').inputValue()).toBe('');
    await dialog.getByLabel('Name').fill('Chat of the team');
    await dialog.getByLabel('Bot token').fill('another-token');
    await dialog.getByRole('button', { name: 'Save connection' }).click();
    await dialog.getByText(/no longer accepts the token/).waitFor();
    await dialog.getByLabel('Bot token').fill(mattermost.issueToken());
    await dialog.getByRole('button', { name: 'Save connection' }).click();
    await page.getByRole('heading', { name: 'Chat of the team' }).waitFor();
    await page.getByText('Not working', { exact: true }).waitFor({ state: 'detached' });
    await page.getByText('Connected', { exact: true }).nth(1).waitFor();

    slack.revokeTokens();
    await page.getByRole('button', { name: 'Test connection' }).last().click();
    await page.getByText('The chat system rejected the token.').waitFor();
    await expectFine(page, 'the connections');

    await page.getByRole('button', { name: 'Delete' }).last().click();
    await dialog.getByText(/tokens are erased/).waitFor();
    await dialog.getByRole('button', { name: 'Delete connection' }).click();
    await page.getByText('Connection deleted').waitFor();
    await page.getByText('Events API').waitFor({ state: 'detached' });
  });
});

describe('a channel of a MEMBER’s project', () => {
  it('lists no private channels, leaves everyone to admins, and says where messages came from', async () => {
    const { atrium } = stage;
    const mona = await atrium.addPerson('mona@example.com', 'MEMBER');
    const { botUserId } = slack;
    slack.restoreTokens();
    const there = slack.addUser('Mona Lisa of the Louvre', { email: mona.email });
    const eve = slack.addUser('Eve', { email: mona.email, team_id: 'T0OTHER', is_stranger: true });
    const { id: channelId } = slack.addChannel('gallery', [botUserId, there.id, eve.id]);
    slack.addChannel('gallery-salaries', [botUserId], true);
    await atrium.client.channels.connect({
      provider: 'SLACK',
      botToken: slack.botToken,
      appToken: slack.appToken,
      displayName: 'Slack of Acme',
    });
    const { page } = await stage.open({ person: mona });
    const dialog = page.getByRole('dialog');
    await page.goto('/');
    const slug = await page.evaluate(async () => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ name: 'Own project' });
      const made = await fetch('/api/projects', { method: 'POST', headers, body });
      return ((await made.json()) as { data: { slug: string } }).data.slug;
    });
    await page.goto(`/p/${slug}/channels`);
    await page.getByRole('button', { name: 'Map channel' }).click();
    await chooseConnection(page, 'Slack of Acme', 'Slack');
    await dialog.getByText(/Ask an owner or an admin to map a private one/).waitFor();
    await dialog.getByLabel('Channel', { exact: true }).fill('gallery');
    await dialog.getByRole('radio', { name: 'Public gallery', exact: true }).check();
    expect(await dialog.getByRole('radio').count()).toBe(1);
    await fieldOf(dialog, 'Agents answer').click();
    const everyone = page.getByRole('option', { name: 'Everyone in the channel' });
    expect(await everyone.getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');
    await everyone.waitFor({ state: 'detached' });
    await dialog.getByText(/Only owners and admins can choose everyone/).waitFor();
    await expectFine(page, 'the dialog of a MEMBER to map a channel');
    await dialog.getByRole('button', { name: 'Map channel' }).click();
    await page.getByText('Active', { exact: true }).waitFor();

    await page.getByRole('link', { name: '#gallery' }).last().click();
    await slack.listening();
    slack.write(channelId, there.id, 'It is me.');
    const own = page.getByRole('article', { name: /via Slack, Mona Lisa of the Louvre on Slack/ });
    await own.getByText('via Slack', { exact: true }).waitFor();
    slack.write(channelId, eve.id, 'It is not me.');
    const other = page.getByRole('article', { name: /^Eve, via Slack \(external\), Not a member/ });
    await other.getByText('via Slack (external)', { exact: true }).waitFor();
    await expectFine(page, 'a session with messages from Slack');
  });
});

const READERS = 'Everyone in #pricing on Mattermost reads this session';

describe('a channel', () => {
  it('is mapped, read along, paused and unmapped, and shows who wrote from outside', async () => {
    const { client } = stage.atrium;
    const maria = mattermost.addUser({ username: 'maria' });
    const { id: channelId } = mattermost.addChannel('pricing', [mattermost.bot, maria]);
    mattermost.addChannel('pricing-secrets', [maria]);
    await client.channels.connect({
      provider: 'MATTERMOST',
      serverUrl: mattermost.url,
      botToken: mattermost.issueToken(),
      displayName: 'Acme',
    });
    const project = await client.projects.create({ name: unique('Mapped') });
    const other = await client.projects.create({ name: unique('Other') });
    const session = await client.sessions.create(project.slug, { name: 'Talk' });
    await client.sessions.create(project.slug, { name: 'Whisper', access: 'PARTICIPANTS' });
    const { page } = await stage.openAsOwner();
    const dialog = page.getByRole('dialog');

    await page.goto(`/p/${project.slug}/channels`);
    await page.getByRole('button', { name: 'Map channel' }).click();
    await chooseConnection(page, 'Acme');
    await dialog.getByLabel('Channel', { exact: true }).fill('#pricing');
    await dialog.getByText('The bot isn’t in this channel. Invite @atrium first.').waitFor();
    expect(await dialog.getByRole('radio', { name: /pricing-secrets/ }).isDisabled()).toBe(true);
    await dialog.getByRole('radio', { name: 'Public pricing', exact: true }).check();
    const sessions = fieldOf(dialog, 'Session');
    await sessions.click();
    expect(await page.getByRole('listbox').textContent()).not.toContain('Whisper');
    await page.keyboard.press('Escape');
    await chooseOption(sessions, 'Talk');
    await dialog.getByText(/Everyone in #pricing will read/).waitFor();
    await expectFine(page, 'the dialog to map a channel');
    await dialog.getByRole('button', { name: 'Map channel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Active', { exact: true }).waitFor();
    await expectAccessible(page, 'the channels');

    await page.getByRole('img', { name: READERS }).first().waitFor();
    await page.getByRole('link', { name: 'Talk' }).last().click();
    await page.getByRole('button', { name: READERS }).click();
    await dialog.getByText(/including people who aren’t members/).waitFor();
    await page.keyboard.press('Escape');
    await mattermost.listening();
    mattermost.write(channelId, maria.id, 'Is it **cheaper** by the year?');
    const message = page.getByRole('article', { name: /^maria, via Mattermost/ });
    await message.getByText('cheaper').waitFor();
    expect(await message.getByRole('link').count()).toBe(0);

    const [mapping] = (await client.channels.list(project.id)).items;
    await client.channels.update(project.id, mapping?.id ?? '', { status: 'PAUSED' });
    await page.getByText('(paused)').waitFor();
    await client.messages.post(project.slug, session.id, { body: 'Between us.' });
    await page.getByText(/^Channel paused at/).waitFor();
    await expectFine(page, 'a mapped session');

    await page.getByRole('link', { name: other.name }).first().click();
    await page.getByRole('link', { name: 'Channels' }).click();
    await page.getByRole('button', { name: 'Map channel' }).click();
    await chooseConnection(page, 'Acme');
    await dialog.getByRole('radio', { name: 'Public pricing', exact: true }).check();
    await dialog.getByRole('button', { name: 'Map channel' }).click();
    await dialog.getByText(/This channel is already mapped/).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: project.name }).first().click();
    await page.getByRole('link', { name: 'Channels' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await chooseOption(fieldOf(dialog, 'Agents answer'), 'Everyone in the channel');
    await dialog.getByRole('button', { name: 'Save channel' }).click();
    await page.getByText('Everyone in the channel', { exact: true }).waitFor();
    mattermost.revokeToken();
    await page.getByRole('link', { name: 'Fix it in Chat connections' }).waitFor();
    await page.getByRole('button', { name: 'Unmap' }).click();
    await dialog.getByRole('button', { name: 'Unmap channel' }).click();
    await page.getByText('No channels yet').waitFor();
    await page.getByRole('img', { name: /#pricing/ }).waitFor({ state: 'detached' });
  });
});

/** There is a choice only if there are several. */
async function chooseConnection(page: Page, name: string, system = 'Mattermost'): Promise<void> {
  const select = fieldOf(page, 'Connection');
  await page.getByLabel('Channel', { exact: true }).waitFor();
  if (await select.isVisible()) await chooseOption(select, `${name} (${system})`);
}
