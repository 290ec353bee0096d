/** Prints the size of the SDK, bundled, minified and gzipped. Fails above the limit. */
import { gzipSync } from 'node:zlib';
import { bundle } from './bundle.ts';

const LIMIT_KB = 12;

for (const [name, code] of [
  ['Atrium', "export { Atrium } from '@atrium/sdk'"],
  ['AtriumMemory', "export { AtriumMemory } from '@atrium/sdk'"],
  ['everything', "export * from '@atrium/sdk'"],
] as const) {
  const minified = await bundle(code);
  const kb = gzipSync(minified, { level: 9 }).length / 1000;
  process.stdout.write(`${name.padEnd(14)}${kb.toFixed(2)} kB gzipped\n`);
  if (kb > LIMIT_KB) process.exitCode = 1;
}
