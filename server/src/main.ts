import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Caches compiled modules for the next start, so it comes before all other imports. The cache is not in the
// system's temporary folder, where other users could replace it.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/atrium', import.meta.url)));

const { runCommandLine } = await import('./command-line.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));
