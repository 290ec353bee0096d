import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ConfigError,
  parseSecretsKeys,
  type Config,
  type SecretsKeys,
} from '../../config/config.ts';
import { linkNew, makeFolder, placeDurably } from '../../durable-file.ts';

const KEY_BYTES = 32;

/**
 * The keys that encrypt stored secrets and from which tokens are derived. With the embedded database the
 * server generates one; processes that share an external database must be given the same.
 */
export async function loadSecretsKeys(
  config: Pick<Config, 'secretsKeys' | 'databaseUrl' | 'dataDir'>,
): Promise<SecretsKeys> {
  if (config.secretsKeys) return config.secretsKeys;
  if (config.databaseUrl !== undefined) {
    throw new ConfigError(
      'SECRETS_KEY',
      'is required with DATABASE_URL, and must be the same for every process; generate one with `openssl rand -base64 32`',
    );
  }
  const file = join(config.dataDir, 'secrets-key');
  try {
    return (await readKeys(file)) ?? (await makeKey(config.dataDir, file));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    throw new ConfigError('DATA_DIR', `could not read or create the secrets key in it: ${problem}`);
  }
}

/** One key per line. The first one encrypts. */
async function readKeys(file: string): Promise<SecretsKeys | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const lines = text.split('\n').map((line) => line.trim());
  const keys = parseSecretsKeys(lines.filter(Boolean));
  if (keys) return keys;
  throw new ConfigError(
    'SECRETS_KEY',
    `${file} must contain 32 bytes as base64 or hex on each line; restore it from a backup (a new key cannot decrypt existing secrets)`,
  );
}

/**
 * Linking fails if the file exists, so a concurrent start reads a complete key. In a power cut, the key must
 * not be lost while data encrypted with it survives.
 */
async function makeKey(folder: string, file: string): Promise<SecretsKeys> {
  await makeFolder(folder);
  const key = `${randomBytes(KEY_BYTES).toString('base64')}\n`;
  await placeDurably(folder, key, (draft) => linkNew(draft, file));
  const keys = await readKeys(file);
  if (!keys) throw new Error(`${file} disappeared while it was created`);
  return keys;
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
