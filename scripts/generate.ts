/**
 * Writes the generated files: the OpenAPI documents, the SDKs' types and the schema dump.
 * With `--check` it writes nothing, and fails if a file is out of date.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { format } from 'oxfmt';
import { EMBEDDED_EXTENSIONS, embeddedDatabase } from '../server/src/db/engines/embedded.ts';
import { migrate } from '../server/src/db/migrating/migrate.ts';
import { dumpSchema } from '../server/src/db/migrating/schema-dump.ts';
import type { Documents } from './sdk-types/openapi.ts';
import { pythonFiles } from './sdk-types/python.ts';
import { typescriptFiles } from './sdk-types/typescript.ts';
import { buildV1Document, buildV2Document } from '../server/src/app/api.ts';

const root = new URL('../', import.meta.url);
const isCheck = process.argv.includes('--check');

const v1 = buildV1Document();
const v2 = buildV2Document();
const methods = await readJson('openapi/sdk-methods.json');
const { printWidth, singleQuote } = await readJson('.oxfmtrc.json');
const documents = { v1, v2, methods } as unknown as Documents;

const files: Record<string, string> = {
  'openapi/v1.json': `${JSON.stringify(v1, null, 2)}\n`,
  'openapi/v2.json': `${JSON.stringify(v2, null, 2)}\n`,
  'server/src/db/schema.sql': await schemaOfMigrations(),
  ...typescriptFiles(documents),
  ...pythonFiles(documents),
};

for (const [path, generated] of Object.entries(files)) {
  const file = new URL(path, root);
  const text = path.endsWith('.ts') ? await formatted(path, generated) : generated;
  const current = await readFile(file, 'utf8').catch(() => undefined);
  if (current === text) continue;
  if (isCheck) {
    process.stderr.write(`${path} is out of date. Run \`npm run generate\` and commit it.\n`);
    process.exitCode = 1;
  } else {
    await writeFile(file, text);
    process.stdout.write(`wrote ${path}\n`);
  }
}

async function readJson(path: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(new URL(path, root), 'utf8'));
}

async function formatted(path: string, source: string): Promise<string> {
  const options = { printWidth: Number(printWidth), singleQuote: singleQuote === true };
  const { code, errors } = await format(path, source, options);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return code;
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
