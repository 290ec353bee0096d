import type { Logger } from 'pino';
import { loadSecretsKeys } from '../adapters/secrets/secrets-key.ts';
import { createVault } from '../adapters/secrets/vault.ts';
import { ConfigError, type Config } from '../config/config.ts';
import { resealSecrets } from '../features/mcp/reseal.ts';
import { openMigrated } from './serve.ts';
import { UsageError } from './usage.ts';

/** Moves all that is sealed to the first key of SECRETS_KEY; prints counts as one line of JSON. */
export async function runSecrets(config: Config, log: Logger, args: string[]): Promise<void> {
  if (args.length !== 1 || args[0] !== 'reseal') {
    throw new UsageError('there is one secrets command: reseal');
  }
  const vault = createVault(await loadSecretsKeys(config));
  const db = await openMigrated(config, log);
  try {
    const counts = await resealSecrets(db, vault);
    process.stdout.write(`${JSON.stringify(counts)}\n`);
    if (counts.unreadable > 0) {
      throw new ConfigError(
        'SECRETS_KEY',
        `none of its keys opens ${counts.unreadable} of the sealed secrets; add the key that sealed them and run this again, or register those MCP servers again`,
      );
    }
  } finally {
    await db.close();
  }
}
