import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ENTRY = '\0entry';

/** Bundles this code, which may import `@atrium/sdk`, into one minified ES module. */
export async function bundle(code: string): Promise<string> {
  const built = await rolldown({
    input: ENTRY,
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId(id) {
          if (id === '@atrium/sdk')
            return fileURLToPath(new URL('../dist/index.js', import.meta.url));
          return id === ENTRY ? id : null;
        },
        load: (id) => (id === ENTRY ? code : null),
      },
    ],
  });
  const { output } = await built.generate({
    format: 'esm',
    minify: true,
    codeSplitting: false,
  });
  await built.close();
  return output[0].code;
}
