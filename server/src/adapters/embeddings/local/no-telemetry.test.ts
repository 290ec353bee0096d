import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('the model leaves nothing in the home folder, where onnxruntime collects what it sends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-home-'));
  const home = join(folder, 'home');
  const program = join(folder, 'load.mjs');
  const [thread, pino] = ['./model-thread.ts', 'pino'].map((name) =>
    JSON.stringify(import.meta.resolve(name)),
  );
  try {
    await mkdir(home);
    await writeFile(
      program,
      `import pino from ${pino};
      import { createModelThread } from ${thread};
      const waiting = setInterval(() => {}, 60_000);
      const thread = createModelThread(pino({ level: 'silent' }));
      await thread.warmUp();
      await thread.close();
      clearInterval(waiting);`,
    );
    const env = { PATH: process.env['PATH'], HOME: home };
    const child = spawn(process.execPath, [program], { env });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(await readdir(home, { recursive: true })).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
