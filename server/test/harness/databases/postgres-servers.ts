import { openPostgres } from '../../../src/db/engines/postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The prepared image for the embedded engine, or the name of the template database in PostgreSQL. */
    template: string;
  }
}

export const ON_CITUS = process.env['TEST_CITUS'] === '1';

/** The coordinator and the workers of the cluster that scripts/test-services starts. */
export function citusNodes(): string[] {
  const urls = process.env['TEST_CITUS_URLS'];
  if (!urls) {
    throw new Error(
      'TEST_CITUS=1 needs a Citus cluster: set CITUS_SOURCE for scripts/test-services install and start',
    );
  }
  return urls.split(',');
}

export function databaseUrl(name: string, server = serverUrl()): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** The same through the pooler that TEST_DATABASE_URL names, if TEST_DATABASE_DIRECT_URL is set too. */
export function pooledUrl(name: string): string {
  const pooler = process.env['TEST_DATABASE_DIRECT_URL'] && process.env['TEST_DATABASE_URL'];
  return databaseUrl(name, pooler || serverUrl());
}

/** For a process on this database: where it finds the database without the pooler, if there is one. */
export function besidePooler(url: string | undefined): { DATABASE_DIRECT_URL?: string } {
  if (url === undefined || !process.env['TEST_DATABASE_DIRECT_URL']) return {};
  return { DATABASE_DIRECT_URL: databaseUrl(new URL(url).pathname.slice(1)) };
}

/** Runs a statement on the server's default database, as CREATE and DROP DATABASE need; on Citus on all nodes. */
export async function asAdmin(statement: string): Promise<void> {
  const servers = ON_CITUS ? citusNodes() : [serverUrl()];
  await Promise.all(servers.map((url) => runOn(url, statement)));
}

/** Citus's nodes connect to each other's databases again and again, until they may not. */
export async function dropDatabase(name: string): Promise<void> {
  if (ON_CITUS) await asAdmin(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
}

export async function runOn(url: string, ...statements: string[]): Promise<void> {
  const db = openPostgres({ url, poolMax: 1, onError: () => {} });
  try {
    for (const statement of statements) await db.query(statement);
  } finally {
    await db.close();
  }
}

function serverUrl(): string {
  const direct = process.env['TEST_DATABASE_DIRECT_URL'] ?? process.env['TEST_DATABASE_URL'];
  const url = ON_CITUS ? citusNodes()[0] : direct;
  if (!url) {
    throw new Error(
      'this suite needs PostgreSQL: set TEST_DATABASE_URL, or eval "$(scripts/test-services start DIR)" first',
    );
  }
  return url;
}
