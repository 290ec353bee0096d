import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { connect } from './harness/client.ts';
import { makeConsumer, oldestNode, run } from './harness/consumer.ts';

const server = inject('server');
const node = oldestNode();
const env = { ATRIUM_API_KEY: server.key, ATRIUM_BASE_URL: `${server.origin}/api` };
const example = (name: string) => fileURLToPath(new URL(`../examples/${name}.js`, import.meta.url));
let cwd = '';
let drop = () => Promise.resolve();

beforeAll(async () => {
  ({ folder: cwd, drop } = await makeConsumer());
});
afterAll(() => drop());

describe(`the built package, on Node ${node.major}`, () => {
  it("README's code runs from top to bottom", async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const blocks = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code);
    expect(blocks.length).toBeGreaterThan(8);
    await writeFile(join(cwd, 'tour.mjs'), blocks.join('\n'));
    const { code, output } = await run(node.path, ['tour.mjs'], { cwd, env });
    expect(code, output).toBe(0);
    for (const said of [
      'recall COMPLETED',
      '12 EUR a seat',
      '1 of 2 true',
      '19 of 19 bytes',
      'slug_taken',
      'body.name',
    ]) {
      expect(output).toContain(said);
    }
    expect(output).toMatch(/GET \/projects\/\{projectId\} 200 \d+ ms, attempt 1/);
  });

  it('examples: the stand-up bot', async () => {
    const { slug } = await connect().projects.create({ name: 'Stand-up example' });
    const talk = await connect().sessions.create(slug, { name: 'Roadmap' });
    await connect().messages.post(slug, talk.id, { body: 'We ship in March.' });
    const { code, output } = await run(node.path, [example('standup-bot'), slug], { cwd, env });
    expect(code, output).toBe(0);
    expect(output).toContain('- Roadmap: 1 new');
    expect(output).toContain('recall: ');
  });

  it('examples: importing notes twice stores them once', async () => {
    const { key } = await connect().keys.createOrgKey(server.orgId, { name: 'Notes' });
    await mkdir(join(cwd, 'notes'));
    await writeFile(join(cwd, 'notes/a.md'), '# Rules\n\nBe kind above all.\n\nTea is at four.\n');
    const again = () =>
      run(node.path, [example('import-notes'), 'notes'], {
        cwd,
        env: { ...env, ATRIUM_API_KEY: key },
      });
    expect((await again()).output).toContain('2 imported, 0 already known');
    expect((await again()).output).toContain('0 imported, 2 already known');
  });

  it('examples: a chat in the terminal', async () => {
    const { slug } = await connect().projects.create({ name: 'Chat example' });
    const input = 'what do you know?\n\n';
    const { code, output } = await run(node.path, [example('chat'), slug], { cwd, env, input });
    expect(code, output).toBe(0);
    expect(output).toContain('recall: ');
  });

  it('the types work in a strict program, with either module resolution', async () => {
    await writeFile(
      join(cwd, 'program.ts'),
      `import { Atrium, NotFoundError, type Message, type Page, type Space } from '@atrium/sdk';
const client = new Atrium({ apiKey: process.env['ATRIUM_API_KEY'] });
export async function read(slug: string, id: string): Promise<Message[]> {
  const page: Page<Message> = await client.messages.list(slug, id, { limit: 5 });
  const names: string[] = [];
  for await (const project of client.projects.list()) names.push(project.name);
  const space: Space = await client.projects.get(names[0] ?? '');
  // @ts-expect-error a misspelt field is a type error
  await client.projects.create({ nme: space.name });
  try {
    const { data, requestId } = await client.identity.me().withResponse();
    console.log(data.org.id, requestId?.length);
  } catch (error) {
    if (error instanceof NotFoundError) console.log(error.details, error.reason);
  }
  return page.items;
}
`,
    );
    const require = createRequire(import.meta.url);
    const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
    const types = dirname(dirname(require.resolve('@types/node/package.json')));
    for (const kinds of [
      ['--module', 'nodenext'],
      ['--module', 'esnext', '--moduleResolution', 'bundler'],
    ]) {
      const flags = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022'];
      const args = [
        tsc,
        '--ignoreConfig',
        ...flags,
        ...kinds,
        '--typeRoots',
        types,
        '--types',
        'node',
        'program.ts',
      ];
      const { code, output } = await run(process.execPath, args, { cwd });
      expect(code, output).toBe(0);
    }
  });
});
