import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Before anything else is loaded: what Node makes of a thousand modules is kept for the next start. Not in
// the system's folder for temporary files, where others could put something else in its place.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/atrium', import.meta.url)));

const { runCommandLine } = await import('./command-line.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));
