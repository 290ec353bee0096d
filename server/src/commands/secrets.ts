import type { Logger } from 'pino';
import { loadSecretsKeys } from '../adapters/secrets/secrets-key.ts';
import { createVault } from '../adapters/secrets/vault.ts';
import { ConfigError, type Config } from '../config/config.ts';
import { useDatabase } from '../db/transactions/database.ts';
import { resealSecrets } from './reseal.ts';
import { openMigrated } from './serve.ts';
import { printLine, UsageError } from './usage.ts';

/** Re-encrypts every stored secret with the first key in SECRETS_KEY; prints counts as one line of JSON. */
export async function runSecrets(config: Config, log: Logger, args: string[]): Promise<void> {
  if (args.length !== 1 || args[0] !== 'reseal') {
    throw new UsageError('unknown secrets command; expected: secrets reseal');
  }
  const vault = createVault(await loadSecretsKeys(config));
  const counts = await useDatabase(await openMigrated(config, log), (db) =>
    resealSecrets(db, vault),
  );
  printLine(counts);
  if (counts.unreadable > 0) {
    throw new ConfigError(
      'SECRETS_KEY',
      `cannot decrypt ${counts.unreadable} of the stored secrets with these keys; add the key they were encrypted with and run this again, or enter the secrets of those MCP servers and chat connections again`,
    );
  }
}
