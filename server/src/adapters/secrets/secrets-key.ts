import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, type Config } from '../../config/config.ts';
import { parseSecretsKeys, type SecretsKeys } from '../../config/secrets-keys.ts';
import { explainDataFolder } from '../../disk/data-folder.ts';
import { linkNew, makeFolder, placeDurably } from '../../disk/durable-file.ts';
import { errorCode } from '../../core/error-code.ts';

const KEY_BYTES = 32;

type KeySettings = Pick<Config, 'secretsKeys' | 'databaseUrl' | 'dataDir'>;

/**
 * The keys that encrypt stored secrets and from which tokens are derived. With the embedded database the
 * server generates one; processes that share an external database must be given the same.
 */
export async function loadSecretsKeys(config: KeySettings): Promise<SecretsKeys> {
  const found = await findSecretsKeys(config);
  return found ?? explained(config.dataDir, makeKey(config.dataDir, fileOf(config)));
}

/** The same, but undefined if the server has not generated one yet. */
export async function findSecretsKeys(config: KeySettings): Promise<SecretsKeys | undefined> {
  if (config.secretsKeys) return config.secretsKeys;
  if (config.databaseUrl !== undefined) {
    throw new ConfigError(
      'SECRETS_KEY',
      'is required with DATABASE_URL, and must be the same for every process; generate one with `openssl rand -base64 32`',
    );
  }
  return explained(config.dataDir, readKeys(fileOf(config)));
}

function fileOf(config: KeySettings): string {
  return join(config.dataDir, 'secrets-key');
}

async function explained<T>(folder: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw explainDataFolder(error, folder);
  }
}

/** One key per line. The first one encrypts. */
async function readKeys(file: string): Promise<SecretsKeys | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
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
  await placeDurably(folder, key, (temporary) => linkNew(temporary, file));
  const keys = await readKeys(file);
  if (!keys) throw new Error(`${file} disappeared while it was created`);
  return keys;
}
