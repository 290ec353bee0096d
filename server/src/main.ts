import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// Caches compiled modules for the next start, so it comes before all other imports. The cache is not in the
// system's temporary folder, where other users could replace it.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/atrium', import.meta.url)));

// By default all garbage is collected whenever the heap has grown by a tenth, and everybody waits for 20 to
// 50 ms. With an import running that was several times a second. Now it may double first.
setFlagsFromString('--heap-growing-percent=100');

const { runCommandLine } = await import('./commands/command-line.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));
