/** Builds `dist/` from `src/`, after deleting the previous build. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));

rmSync(dist, { recursive: true, force: true });
const compile = [join(typescript, 'bin/tsc'), '-p', 'tsconfig.build.json'];
const { status } = spawnSync(process.execPath, compile, { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;

// The compiler keeps `./page.ts` in declarations, but `dist/` only has `.js` files.
for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue;
  const path = join(dist, file);
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replaceAll(/(['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2'),
  );
}
