/**
 * Writes the generated files: the OpenAPI documents, the SDKs' types and the schema dump. With `--check` it writes
 * nothing and fails when one of them is not what the code says.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { EMBEDDED_EXTENSIONS, embeddedDatabase } from '../server/src/db/embedded.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { dumpSchema } from '../server/src/db/schema-dump.ts';
import { pythonFiles } from './sdk-types/python.ts';
import { typescriptFiles, type Documents } from './sdk-types/typescript.ts';
import { buildV1Document, buildV2Document } from '../server/src/api.ts';

const root = new URL('../', import.meta.url);
const isCheck = process.argv.includes('--check');

const v1 = buildV1Document();
const v2 = buildV2Document();
const methods: unknown = JSON.parse(
  await readFile(new URL('openapi/sdk-methods.json', root), 'utf8'),
);
const documents = { v1, v2, methods } as unknown as Documents;

const files: Record<string, string> = {
  'openapi/v1.json': `${JSON.stringify(v1, null, 2)}\n`,
  'openapi/v2.json': `${JSON.stringify(v2, null, 2)}\n`,
  'server/src/db/schema.sql': await schemaOfMigrations(),
  ...typescriptFiles(documents),
  ...pythonFiles(documents),
};

for (const [path, wanted] of Object.entries(files)) {
  const file = new URL(path, root);
  const found = await readFile(file, 'utf8').catch(() => undefined);
  if (found === wanted) continue;
  if (isCheck) {
    process.stderr.write(`${path} is out of date: run \`npm run generate\` and commit it\n`);
    process.exitCode = 1;
  } else {
    await writeFile(file, wanted);
    process.stdout.write(`wrote ${path}\n`);
  }
}

async function schemaOfMigrations(): Promise<string> {
  const db = embeddedDatabase(new PGlite({ extensions: EMBEDDED_EXTENSIONS }));
  try {
    await migrate(db);
    return await dumpSchema(db);
  } finally {
    await db.close();
  }
}
