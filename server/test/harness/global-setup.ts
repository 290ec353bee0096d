import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { TestProject } from 'vitest/node';
import { EMBEDDED_EXTENSIONS, embeddedDatabase } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openPostgres } from '../../src/db/postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The prepared image for the embedded engine, or the name of the template database in PostgreSQL. */
    template: string;
  }
}

/** Migrates once; every test file then starts from a copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = project.config.env['TEST_ENGINE'];
  return engine === 'postgres' ? setUpPostgres(project) : setUpEmbedded(project);
}

async function setUpEmbedded(project: TestProject): Promise<() => Promise<void>> {
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
  return () => asAdmin(`DROP DATABASE ${template} WITH (FORCE)`);
}

export function databaseUrl(name: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs a statement on the server's default database, as CREATE and DROP DATABASE need. */
export async function asAdmin(statement: string): Promise<void> {
  const db = openPostgres({ url: serverUrl(), poolMax: 1, onError: () => {} });
  try {
    await db.query(statement);
  } finally {
    await db.close();
  }
}

function serverUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) {
    throw new Error(
      'this suite needs PostgreSQL: set TEST_DATABASE_URL, or eval "$(scripts/test-services start DIR)" first',
    );
  }
  return url;
}
