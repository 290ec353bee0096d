import { describe, expect, it } from 'vitest';
import { composerOf } from './harness/browser.ts';
import { unique, uniqueEmail } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();

/** Each would set `window.hit` if it were not treated as text. */
const SCRIPTS = [
  '<script>window.hit = 1</script>',
  '<img src=x onerror="window.hit = 1">',
  '<svg onload="window.hit = 1"></svg>',
  '<iframe srcdoc="<script>parent.hit = 1</script>"></iframe>',
  '[click](javascript:window.hit=1)',
  '[click](JaVaScRiPt:window.hit=1)',
  '[click](data:text/html,<script>parent.hit=1</script>)',
  '![picture](https://evil.example/x.png)',
  '<a href="javascript:window.hit=1">click</a>',
  '[a]: javascript:window.hit=1\n\n[click][a]',
  '<javascript:window.hit=1>',
  '`<script>window.hit = 1</script>`\n\n```html\n<script>window.hit = 1</script>\n```',
];
const NAME = '<img src=x onerror=window.hit=1> مرحبا 👩‍👩‍👧‍👦';
const LINE = 'a'.repeat(20_000);

const hit = 'window.hit';

describe('what people, models and tools write', () => {
  it('in a message is text: nothing runs, nothing loads, and no link runs a script', async () => {
    const { client } = stage.atrium;
    const { slug } = await client.projects.create({ name: unique(NAME), tags: ['<b>tag</b>'] });
    const { id } = await client.sessions.create(slug, { name: NAME, description: '<b>bold</b>' });
    for (const body of SCRIPTS) await client.messages.post(slug, id, { body });
    const { page } = await stage.openAsOwner();
    await page.goto(`/p/${slug}/s/${id}`);
    await page
      .getByRole('main')
      .getByText('window.hit')
      .filter({ visible: true })
      .first()
      .waitFor();
    const links = await page
      .locator('[role=feed] a')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
    for (const href of links) expect(href).toMatch(/^(https?:|mailto:|\/)/);
    expect(
      await page.locator('[role=feed] :is(img, iframe, script, object, svg[onload])').count(),
    ).toBe(0);
    for (const path of ['/', `/p/${slug}`]) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.evaluate(hit)).toBeUndefined();
    }
    await expectNoSidewaysScroll(page);
  });

  it('in a memory, its tags and its source is text too', async () => {
    const { client } = stage.atrium;
    for (const content of [...SCRIPTS, LINE.slice(0, 10_000)]) {
      await client.memory.create({
        content,
        visibility: 'ORG',
        tags: ['<img src=x onerror=hit()>'],
      });
    }
    const { page } = await stage.openAsOwner({ size: { width: 360, height: 740 } });
    await page.goto('/memory?q=window.hit');
    await page
      .getByRole('main')
      .getByText('window.hit')
      .filter({ visible: true })
      .first()
      .waitFor();
    expect(await page.evaluate(hit)).toBeUndefined();
    await page.goto('/memory');
    await page.getByRole('main').getByText('aaaaaaaa').filter({ visible: true }).first().waitFor();
    await expectNoSidewaysScroll(page);
  });

  it('of 20,000 characters without a space, or right to left, does not break the page', async () => {
    const { client } = stage.atrium;
    const { slug } = await client.projects.create({ name: unique('Long') });
    const { id } = await client.sessions.create(slug, { name: 'x'.repeat(120) });
    await client.messages.post(slug, id, { body: LINE });
    await client.messages.post(slug, id, { body: 'שלום עולם, مرحبا بالعالم' });
    await client.messages.post(slug, id, { body: '```\n' + 'b'.repeat(5_000) + '\n```' });
    for (const width of [360, 1280]) {
      const { page } = await stage.openAsOwner({ size: { width, height: 740 } });
      await page.goto(`/p/${slug}/s/${id}`);
      await page.getByText('שלום').waitFor();
      await expectNoSidewaysScroll(page);
      await composerOf(page).fill(LINE);
      await expectNoSidewaysScroll(page);
    }
  });
});

describe('a sign-in address with a return path', () => {
  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/%09/evil.example',
    'javascript:window.hit=1',
  ])('never leads to %s', async (returnTo) => {
    const { page } = await stage.openAsOwner();
    await page.goto(`/sign-in?returnTo=${encodeURIComponent(returnTo)}`);
    await page.getByRole('navigation').first().waitFor();
    expect(new URL(page.url()).origin).toBe(stage.atrium.origin);
    expect(await page.evaluate(hit)).toBeUndefined();
  });
});

describe('another site', () => {
  it('cannot post a form as the signed-in person', async () => {
    const owner = await stage.atrium.owner();
    const response = await fetch(`${stage.atrium.origin}/api/projects`, {
      method: 'POST',
      headers: {
        origin: 'https://evil.example',
        'content-type': 'application/json',
        cookie: `${owner.cookie.name}=${owner.cookie.value}`,
      },
      body: '{"name":"Planted"}',
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { details: { reason: 'cross_origin' } } });
  });
});

describe('a removed member', () => {
  it('is told so and sees nothing more', async () => {
    const person = await stage.atrium.addPerson(uniqueEmail('gone'));
    const { client, firstRun } = stage.atrium;
    await client.projects.create({ name: unique('Inner circle') });
    const { page } = await stage.open({ person });
    await page.goto('/');
    await page.getByText('Inner circle').first().waitFor();
    await client.org.removeMember(firstRun.orgId, person.userId);
    await page.getByText('Inner circle').first().waitFor({ state: 'detached' });
    await page
      .getByText(/organisation/i)
      .first()
      .waitFor();
  });
});

async function expectNoSidewaysScroll(page: Awaited<ReturnType<typeof stage.open>>['page']) {
  const [inner, whole] = await page.evaluate<[number, number]>(
    '[document.documentElement.clientWidth, document.documentElement.scrollWidth]',
  );
  expect(whole).toBeLessThanOrEqual(inner);
}
