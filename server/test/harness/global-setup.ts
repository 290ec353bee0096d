import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { TestProject } from 'vitest/node';
import { EMBEDDED_EXTENSIONS, embeddedDatabase } from '../../src/db/engines/embedded.ts';
import { migrate } from '../../src/db/migrating/migrate.ts';
import { openPostgres } from '../../src/db/engines/postgres.ts';
import { setUpCitus } from './databases/citus.ts';
import { forgetStatements } from './databases/recorded-statements.ts';
import { asAdmin, databaseUrl, dropDatabase } from './databases/postgres-servers.ts';

/** Migrates once; every test file then starts from a copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = project.config.env['TEST_ENGINE'];
  if (engine === 'citus') return setUpCitus(project);
  return engine === 'postgres' ? setUpPostgres(project) : setUpEmbedded(project);
}

async function setUpEmbedded(project: TestProject): Promise<() => Promise<void>> {
  forgetStatements();
  const folder = await mkdtemp(join(tmpdir(), 'atrium-test-'));
  const image = join(folder, 'image.tar');
  const engine = new PGlite({ extensions: EMBEDDED_EXTENSIONS });
  const db = embeddedDatabase(engine);
  await migrate(db);
  const dump = await engine.dumpDataDir('none');
  await writeFile(image, Buffer.from(await dump.arrayBuffer()));
  await db.close();
  project.provide('template', image);
  return () => rm(folder, { recursive: true });
}

async function setUpPostgres(project: TestProject): Promise<() => Promise<void>> {
  const template = `atrium_template_${process.pid}_${Date.now()}`;
  await asAdmin(`CREATE DATABASE ${template}`);
  const db = openPostgres({ url: databaseUrl(template), poolMax: 1, onError: () => {} });
  await migrate(db);
  await db.close();
  project.provide('template', template);
  return () => dropDatabase(template);
}
