import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildWebApp, builtFolder } from './build.ts';
import { hashSources, ROOT } from './sources.ts';
import { findOwnWebApp } from './web-app.ts';

let root: string;

/** A checkout with a small app in it, built by the same Vite. */
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'atrium-checkout-'));
  await mkdir(join(root, 'web', 'src'), { recursive: true });
  await writeFile(join(root, 'web', 'package.json'), '{"type":"module"}');
  await writeFile(
    join(root, 'web', 'index.html'),
    '<!doctype html><script type="module" src="/src/main.js"></script>',
  );
  await writeFile(join(root, 'web', 'src', 'main.js'), 'document.title = "one";');
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function shownTitle(): Promise<string> {
  const app = await findOwnWebApp(root);
  const state = app.state();
  if (state.kind !== 'ready') return state.kind;
  const [, script] = [...state.files].find(([path]) => path.endsWith('.js')) ?? [];
  return /one|two/.exec(String(script?.identity))?.[0] ?? 'nothing';
}

describe('the web app of a checkout', () => {
  it('is built once, compressed, and again when its sources change', async () => {
    expect(await shownTitle()).toBe('building');
    const app = await findOwnWebApp(root);
    await app.build(new AbortController().signal);
    const state = app.state();
    expect(state.kind).toBe('ready');
    if (state.kind === 'ready') expect(state.files.get('/index.html')?.br).toBeDefined();
    expect(await shownTitle()).toBe('one');
    await writeFile(join(root, 'web', 'src', 'main.js'), 'document.title = "two";');
    expect(await shownTitle()).toBe('building');
    await buildWebApp(root);
    expect(await shownTitle()).toBe('two');
    expect(await readdir(join(root, 'web', '.build'))).toEqual([]);
  });

  it('counts as built for the same sources, whatever their modification times', async () => {
    await buildWebApp(root);
    const copy = await mkdtemp(join(tmpdir(), 'atrium-checkout-'));
    onTestFinished(() => rm(copy, { recursive: true, force: true }));
    await cp(root, copy, { recursive: true });
    expect((await findOwnWebApp(copy)).isFresh).toBe(true);
    expect(await hashSources(copy)).toBe(await hashSources(root));
  });

  it('counts as built where its sources are left out, as in an image', async () => {
    expect((await findOwnWebApp(root)).isFresh).toBe(false);
    await buildWebApp(root);
    await rm(join(root, 'web', 'src'), { recursive: true });
    await rm(join(root, 'web', 'index.html'));
    expect((await findOwnWebApp(root)).isFresh).toBe(true);
    await rm(builtFolder(root), { recursive: true });
    expect((await findOwnWebApp(root)).isFresh).toBe(false);
  });

  it('stays unchanged if a build fails, and says why', async () => {
    await buildWebApp(root);
    await writeFile(join(root, 'web', 'src', 'main.js'), 'import "./nowhere.js";');
    const app = await findOwnWebApp(root);
    await expect(app.build(new AbortController().signal)).rejects.toThrow(/nowhere/);
    expect(app.state().kind).toBe('ready');
    await rm(builtFolder(root), { recursive: true });
    const without = await findOwnWebApp(root);
    await expect(without.build(new AbortController().signal)).rejects.toThrow(/nowhere/);
    expect(without.state().kind).toBe('failed');
  });

  it('is built beside builders that wait for the lock, and without what killed ones left', async () => {
    const workshop = join(root, 'web', '.build');
    await mkdir(join(workshop, 'left-behind', 'assets'), { recursive: true });
    await writeFile(join(workshop, '.waiting.tmp'), '');
    await buildWebApp(root);
    expect(await shownTitle()).toBe('one');
    expect(await readdir(workshop)).toEqual(['.waiting.tmp']);
  });

  it('is never seen half built: two builders at once, one of them killed', async () => {
    const script = `import { buildWebApp } from ${JSON.stringify(import.meta.resolve('./build.ts'))};
      await buildWebApp(${JSON.stringify(root)});`;
    const start = () => spawn(process.execPath, ['--input-type=module', '-e', script]);
    const killed = start();
    // Once the lock exists, this process holds it: kill it now, in the middle of its work.
    while (!(await readdir(join(root, 'web'))).includes('.build')) await nextTurn();
    while (!(await readdir(join(root, 'web', '.build'))).includes('lock')) await nextTurn();
    killed.kill('SIGKILL');
    await once(killed, 'close');
    expect(await shownTitle()).toBe('building');
    const codes = await Promise.all([start(), start()].map((child) => once(child, 'close')));
    expect(codes.map(([code]) => code)).toEqual([0, 0]);
    expect(await shownTitle()).toBe('one');
    expect(await readFile(join(builtFolder(root), '.built-from'), 'utf8')).toBe(
      await hashSources(root),
    );
  });
});

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
